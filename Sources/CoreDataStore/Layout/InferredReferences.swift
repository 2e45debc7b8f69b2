internal import CoreDataModel

/// The columns of a table without a model that hold keys of other objects.
///
/// Only certain references: a wrong destination would report sound objects as damaged, which is
/// worse than a relationship that looks like a number. The values are not read: the result must not
/// depend on them, and a dangling reference must not hide itself.
struct InferredReferences {
  /// A column that holds the key of another object.
  struct Reference {
    enum Kind {
      /// A to-one relationship to that entity.
      case toOne(Name)
      /// The owner, of that entity, in a to-many relationship without inverse.
      case owner(Name)
    }

    var column: String
    /// The name of the relationship in capitals.
    var upperName: String
    var kind: Kind
    /// The column with the number of the destination's entity; nil if there is none.
    var entityColumn: String?
    /// The column with the position in an ordered relationship; nil if there is none.
    var orderColumn: String?
  }

  /// The references in the order of the table's columns.
  private(set) var references: [Reference] = []

  private let table: SchemaTable
  private let destinations: InferredDestinations
  private let indexes: SingleColumnIndexes
  /// The entities of the table's objects.
  private let tree: Set<Name>
  /// The columns of integers, by their names.
  private var integers: [SchemaName: String] = [:]
  /// The columns with numbers of entities, by the reference columns that they belong to.
  private var entityColumns: [SchemaName: (column: String, entity: Name)] = [:]
  /// The columns that are no attributes, regardless of their values.
  private var structural: Set<SchemaName> = []

  /// Examines the columns of a table with objects of the entities in `tree`.
  init(
    _ table: SchemaTable, tree: Set<Name>, _ destinations: InferredDestinations,
    _ indexes: [SchemaCatalog.Index]
  ) {
    self.table = table
    self.tree = tree
    self.destinations = destinations
    self.indexes = SingleColumnIndexes(of: table, indexes)
    let system = Set(ColumnMatcher.systemColumns.map { SchemaName($0) })
    let columns = table.columns.filter { column in
      !column.isGenerated && column.isInteger && !system.contains(SchemaName(column.name))
    }.map(\.name)
    for column in columns { integers[SchemaName(column)] = column }
    for column in columns { noteEntityColumn(column) }
    let owners = columns.compactMap(owner)
    for name in columns.compactMap(orderColumn) + owners.map(\.column) {
      structural.insert(SchemaName(name))
    }
    let order = InferredOrder(
      table, isTree: tree.count > 1, structural: structural, indexes: self.indexes)
    let toOnes = columns.compactMap { toOne($0, order) }
    let found = Dictionary(
      (owners + toOnes).map { (SchemaName($0.column), $0) }, uniquingKeysWith: { first, _ in first }
    )
    references = columns.compactMap { found[SchemaName($0)] }
  }

  /// Records that `Z6_ROOTFOLDER` belongs to `ZROOTFOLDER`, if 6 is an entity with subentities.
  private mutating func noteEntityColumn(_ column: String) {
    guard let numbered = NumberedName(column, prefix: "Z"), numbered.rest.hasPrefix("_"),
      let beside = integers[SchemaName("Z" + numbered.rest.droppingScalars(1))],
      let entity = destinations.parent(numbered: numbered.number),
      entityColumns[SchemaName(beside)] == nil
    else { return }
    entityColumns[SchemaName(beside)] = (column, entity)
    structural.insert(SchemaName(column))
  }

  private func orderColumn(of column: String) -> String? {
    integers[SchemaName("Z_FOK_" + column.droppingScalars(1))]
  }

  /// The owner in `Z20APPLYQUESTIONS`, if 20 is an entity and the column has an index.
  private func owner(_ column: String) -> Reference? {
    guard let numbered = NumberedName(column, prefix: "Z"),
      let first = numbered.rest.unicodeScalars.first, first != "_",
      let entity = destinations.entity(numbered: numbered.number), indexes.isReference(column)
    else { return nil }
    return Reference(
      column: column, upperName: numbered.rest, kind: .owner(entity), entityColumn: nil,
      orderColumn: orderColumn(of: column))
  }

  private func toOne(_ column: String, _ order: InferredOrder) -> Reference? {
    guard column.unicodeScalars.first == "Z", !structural.contains(SchemaName(column)) else {
      return nil
    }
    let upperName = column.droppingScalars(1)
    let orderColumn = orderColumn(of: column)
    if let (entityColumn, entity) = entityColumns[SchemaName(column)] {
      return Reference(
        column: column, upperName: upperName, kind: .toOne(entity), entityColumn: entityColumn,
        orderColumn: orderColumn)
    }
    guard indexes.isReference(column), !order.isAttribute(column),
      let destination = destinations.destination(
        of: names(upperName), in: tree,
        isToOne: orderColumn != nil || order.isRelationship(column))
    else { return nil }
    return Reference(
      column: column, upperName: upperName, kind: .toOne(destination), entityColumn: nil,
      orderColumn: orderColumn)
  }

  /// A name, and where another column of the tree has the same without a number at its end, that.
  private func names(_ name: String) -> [String] {
    let core = String(name.reversed().drop { $0.isASCII && $0.isNumber }.reversed())
    let isNumbered = tree.count > 1 && core != name && table.column("Z" + core) != nil
    return isNumbered ? [name, core] : [name]
  }
}

/// The facts that follow from the order of a table's columns.
///
/// The columns of integers come first: the attributes of the entity in the order of their names, then
/// its to-one relationships in the order of theirs (store-format, section 5.3). In the table of a
/// tree each entity has its own, so that the order has no meaning.
private struct InferredOrder {
  private var attributes: Set<SchemaName> = []
  private var relationships: Set<SchemaName> = []

  init(
    _ table: SchemaTable, isTree: Bool, structural: Set<SchemaName>, indexes: SingleColumnIndexes
  ) {
    guard !isTree else { return }
    let system = Set(ColumnMatcher.systemColumns.map { SchemaName($0) })
    let columns = table.columns.filter { !$0.isGenerated && !system.contains(SchemaName($0.name)) }
      .prefix(while: \.isInteger).map(\.name).filter { !structural.contains(SchemaName($0)) }
    let lastPlain = columns.lastIndex { !indexes.isReference($0) } ?? -1
    attributes = Set(columns.prefix(lastPlain + 1).map { SchemaName($0) })
    let falls = columns.indices.dropFirst().filter {
      codeUnitsAscend(columns[$0], columns[$0 - 1])
    }
    if falls.count == 1, let fall = falls.first, fall > lastPlain {
      relationships = Set(columns[fall...].map { SchemaName($0) })
    }
  }

  /// Whether it is certainly an attribute, although it has an index.
  func isAttribute(_ column: String) -> Bool { attributes.contains(SchemaName(column)) }

  func isRelationship(_ column: String) -> Bool { relationships.contains(SchemaName(column)) }
}

/// The indexes of a table that have one column.
private struct SingleColumnIndexes {
  private var references: Set<SchemaName> = []
  private var attributes: Set<SchemaName> = []

  init(of table: SchemaTable, _ indexes: [SchemaCatalog.Index]) {
    for index in indexes {
      guard let words = Self.onlyColumn(of: index.sql ?? ""), let column = words.first else {
        continue
      }
      if words.count > 1 {
        // The spelling of fetch indexes; the framework makes none for a relationship.
        attributes.insert(SchemaName(column))
      } else if SchemaName(index.name) == SchemaName("\(table.name)_\(column)_INDEX") {
        references.insert(SchemaName(column))
      }
    }
  }

  /// The words in the parentheses of an index with one column; nil for any other.
  private static func onlyColumn(of sql: String) -> [String]? {
    guard let start = sql.utf8.firstIndex(of: UInt8(ascii: "(")),
      let end = sql.utf8[start...].firstIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let list = sql[start..<end].dropFirst()
    return list.contains(",") ? nil : list.split(separator: " ").map(String.init)
  }

  /// Whether it has the index of a to-one relationship; an attribute can have one too, before the
  /// era of fetch indexes.
  func isReference(_ column: String) -> Bool {
    references.contains(SchemaName(column)) && !attributes.contains(SchemaName(column))
  }
}

extension SchemaColumn {
  /// Whether it is declared as Core Data declares integers and relationships.
  fileprivate var isInteger: Bool { declaredType.uppercased() == "INTEGER" }
}
