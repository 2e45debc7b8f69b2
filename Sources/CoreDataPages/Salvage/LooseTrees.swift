internal import CoreDataModel
internal import CoreDataStore

/// The trees of tables that neither the list of tables nor another page refers to.
struct LooseTrees {
  /// One of them.
  struct Tree {
    /// Its first page.
    let root: Int
    let rows: [StoredRecord]
    /// Whether it has only one page, which may also be a leaf of a larger tree.
    let isLeaf: Bool
  }

  /// The maximum number of rows to examine: more rows would not make the table more certain.
  private static let rowLimit = 500

  /// The trees that have rows.
  let all: [Tree]

  init(_ pages: DatabasePages, besides known: [Int]) throws(CofferError) {
    // In a larger database, a page of a value can begin like a page of a tree.
    guard pages.count < 0x0200_0000 else {
      all = []
      return
    }
    let isFree = try pages.freePages()
    var isChild = Set(known)
    var roots: [Int] = []
    for number in isFree.indices.dropFirst(2) where !isFree[number] {
      guard let bytes = try pages.page(number), TreePage.isOfTable(bytes, number: number) else {
        continue
      }
      roots.append(number)
      isChild.formUnion(TreePage.children(bytes, number: number) ?? [])
    }
    // The pages of the list itself.
    if let first = try pages.page(1) {
      isChild.formUnion(TreePage.children(first, number: 1) ?? [])
    }
    var all: [Tree] = []
    for root in roots where !isChild.contains(root) {
      let tree = try Self.tree(root, pages)
      if !tree.rows.isEmpty { all.append(tree) }
    }
    self.all = all
  }

  private static func tree(_ root: Int, _ pages: DatabasePages) throws(CofferError) -> Tree {
    var rows: [StoredRecord] = []
    var seen: Set<Int> = []
    var waiting = [root]
    var isLeaf = true
    while let number = waiting.popLast(), rows.count < rowLimit {
      guard seen.insert(number).inserted, let bytes = try pages.page(number) else { continue }
      if let children = TreePage.children(bytes, number: number) {
        isLeaf = false
        waiting += children.reversed()
      } else if let leaf = LeafPage(bytes, number: number) {
        for cell in leaf.cells {
          // The rest of a large row only matters if it can be a row of the model's table.
          guard let record = StoredRecord(Array(leaf.local(cell)), size: cell.size) else {
            continue
          }
          rows.append(record)
        }
      }
    }
    return Tree(root: root, rows: rows, isLeaf: isLeaf)
  }
}

/// A test that recognizes the rows of a table.
package struct RowTest: Sendable {
  let table: String
  private let isRow: @Sendable (StoredRecord) -> Bool

  /// The rows that a closure accepts.
  init(_ table: String, _ isRow: @escaping @Sendable (StoredRecord) -> Bool) {
    (self.table, self.isRow) = (table, isRow)
  }

  /// The rows of a table of objects.
  init(_ layout: RowLayout) {
    self.init(layout.table.name) { layout.identity($0, mayBeShort: true) != nil }
  }

  /// The pairs of a table of a relationship: numbers of rows and positions.
  init?(pairsOf table: SchemaTable) {
    guard table.kind == .ordinary, table.rowIDAlias == nil, !table.isWithoutRowID,
      table.columns.allSatisfy({ ColumnAffinity($0.declaredType) == .integer })
    else { return nil }
    let keys = table.columns.indices.filter { table.columns[$0].primaryKeyPosition > 0 }
    self.init(table.name) { record in
      record.values.count == table.columns.count
        && keys.allSatisfy { record.integer($0) ?? 0 > 0 }
        && table.columns.indices.allSatisfy {
          [.integer, .null].contains(record.storageClass($0))
        }
    }
  }

  /// The rows of Core Data's system tables.
  static let administration = [
    RowTest("Z_METADATA") { record in
      classes(record) == [.null, .text, .blob]
        && record.values[1].range.count.isMultiple(of: 36)
    },
    RowTest("Z_PRIMARYKEY") { classes($0) == [.null, .text, .integer, .integer] },
    RowTest("Z_MODELCACHE") { classes($0) == [.blob] },
  ]

  private static func classes(_ record: StoredRecord) -> [StorageClass] {
    record.values.indices.map { record.storageClass($0) }
  }

  func fits(_ tree: LooseTrees.Tree) -> Bool { tree.rows.allSatisfy(isRow) }
}

extension LooseTrees {
  /// Finds the trees of tables.
  ///
  /// Unique ones leave out a table with several trees.
  ///
  /// - Returns: the first pages by the names of tables, without a tree that can belong to several.
  func roots(of tests: [RowTest], isUnique: Bool = false) -> [String: Int] {
    var found: [String: [Tree]] = [:]
    for tree in all {
      let tables = tests.filter { $0.fits(tree) }
      if let table = tables.first, tables.count == 1 {
        found[table.table, default: []].append(tree)
      }
    }
    return found.compactMapValues { trees in
      guard trees.count == 1 || !isUnique else { return nil }
      // If the first page is lost, only its leaves remain.
      return trees.max { ($0.isLeaf ? 0 : 1, $0.rows.count) < ($1.isLeaf ? 0 : 1, $1.rows.count) }?
        .root
    }
  }
}
