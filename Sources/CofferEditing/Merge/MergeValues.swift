internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The values of objects to merge, and their equality.
final class MergeValues {
  /// A store of a merge.
  enum Side: Int { case store, other, base }

  /// By table: the columns that are merged individually.
  let columns: [[Int]]
  /// By table: derived attributes that coffer cannot compute, which follow the other values.
  let plainDerived: [[Int]]
  /// By table: the references with positions, by the index of their order.
  let orderedReferences: [[(index: Int, reference: EditedReference)]]
  private let editor: ObjectEditor
  private let sides: [MergeSide?]
  private let references: [[Int: Int]]
  private var contents: [Int: ExternalContents] = [:]

  init(_ store: MergeSide, _ other: MergeSide, _ base: MergeSide?, _ editor: ObjectEditor) {
    self.editor = editor
    sides = [store, other, base]
    let schema = editor.schema
    let computed = editor.computedColumns
    var columns: [[Int]] = []
    var derived: [[Int]] = []
    for (table, layout) in schema.tables.enumerated() {
      var (plain, following): ([Int], [Int]) = ([], [])
      for (column, field) in layout.columns.enumerated() {
        switch field.role {
        case .attribute(let path, _, _, let entity):
          if computed.contains(where: { $0.table == table && $0.column == column }) { continue }
          let attribute = store.store.model[entity]?.attributes.first { $0.name == path.first }
          if attribute?.isDerived == true { following.append(column) } else { plain.append(column) }
        case .toOne, .owner, .plain: plain.append(column)
        default: break
        }
      }
      columns.append(plain)
      derived.append(following)
    }
    self.columns = columns
    plainDerived = derived
    var references: [[Int: Int]] = schema.tables.map { _ in [:] }
    var ordered: [[(index: Int, reference: EditedReference)]] = schema.tables.map { _ in [] }
    for (index, reference) in schema.references.enumerated() {
      references[reference.table][reference.column] = index
      if let order = schema.orderOfReference[index] {
        ordered[reference.table].append((order, reference))
      }
    }
    self.references = references
    orderedReferences = ordered
    func add(_ first: (Side, MergeSide?), _ second: (Side, MergeSide?)) {
      guard let left = first.1, let right = second.1 else { return }
      contents[first.0.rawValue * 3 + second.0.rawValue] = ExternalContents(
        left.source, right.source)
    }
    add((.base, base), (.other, other))
    add((.base, base), (.store, store))
    add((.store, store), (.other, other))
  }

  /// The index of the reference in a column; nil if it holds another value.
  func reference(_ column: Int, of table: Int) -> Int? { references[table][column] }

  /// The table that a column leads to; nil if it holds another value.
  func destinationTable(_ column: Int, of table: Int) -> Int? {
    reference(column, of: table).map { editor.schema.references[$0].destinationTable }
  }

  /// Whether two rows have the same value in a column; for external binary data, the same bytes.
  func isSame(
    _ left: some RowCursor, _ leftSide: Side, _ right: some RowCursor, _ rightSide: Side,
    column: Int, table: Int
  ) throws -> Bool {
    if editor.externalColumns[table].contains(column),
      let contents = contents[leftSide.rawValue * 3 + rightSide.rawValue],
      let one = try contents.digest(of: left, column, on: .first),
      let other = try contents.digest(of: right, column, on: .second)
    {
      return one == other
    }
    return try left.hasSameValue(column, as: right, column)
  }

  /// Whether a store changed a property of an object of the base.
  ///
  /// A reference that a deletion unset, or whose destination another object took, does not count as
  /// changed.
  func isChanged(
    _ old: some RowCursor, _ new: some RowCursor, on side: Side, column: Int,
    of object: StoredObject
  ) throws -> Bool {
    if try isSame(old, .base, new, side, column: column, table: object.table) { return false }
    guard new.row.isNull(column), let reference = reference(column, of: object.table),
      let base = sides[Side.base.rawValue], let store = sides[side.rawValue]
    else { return true }
    return try store.isChanged(editor.schema.references[reference], of: object, since: base)
  }
}
