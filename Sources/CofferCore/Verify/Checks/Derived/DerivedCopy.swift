internal import CoreDataLayout
internal import CoreDataModel

/// A derived attribute that copies an attribute of a to-one relationship's destination, such as
/// `location.name`.
///
/// Records: the key is the destination's; rank 0 has the hash of its value, rank 1 the object with
/// the copy and the hash of the copy. Another check reports missing destinations.
final class DerivedCopy: DerivedValues {
  private let context: VerificationContext
  private let attribute: DerivedAttribute
  private let referenceColumn: Int
  private let destinationTable: VerifiedTable
  private let destinations: EntitySet
  private let valueColumn: Int
  private var topic: UInt32 = 0
  private var current: (key: Int64, value: ValueHash)?

  init?(_ attribute: DerivedAttribute, _ context: VerificationContext) {
    let model = context.subject.model
    guard let path = attribute.keyPath, path.count >= 2,
      let toOne = model.relationship(path[0], of: attribute.entityName),
      let reference = attribute.table.column(.toOne(name: path[0], entity: toOne.declaredBy)),
      let table = context.table(ofEntity: toOne.relationship.destinationName),
      let value = table.attribute(
        Array(path.dropFirst()), of: toOne.relationship.destinationName, model),
      value.type == attribute.type
    else { return nil }
    self.context = context
    self.attribute = attribute
    referenceColumn = reference
    destinationTable = table
    destinations = context.tree(of: toOne.relationship.destinationName)
    valueColumn = value.column
    topic = context.topic(self)
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    let holdsCopies = table.index == attribute.table.index
    let holdsValues = table.index == destinationTable.index
    guard holdsCopies || holdsValues else { return nil }
    return RowVisitor { [self] row in
      guard let key = row.primaryKey else { return }
      if holdsValues, destinations.contains(row.entity) { try takeValue(row, key) }
      if holdsCopies, attribute.entities.contains(row.entity) { try takeCopy(row, key) }
    }
  }

  private func takeValue(_ row: Row, _ key: Int64) throws {
    guard let hash = ValueHash(row, valueColumn) else { return }
    try context.sorter.append(
      SortRecord(topic: topic, rank: 0, key: key, first: hash.bits, second: 0))
  }

  private func takeCopy(_ row: Row, _ key: Int64) throws {
    guard let hash = ValueHash(row, attribute.column) else { return }
    if row.isNull(referenceColumn) {
      if hash != .null { try report(key, "there is no destination") }
    } else if let destination = row.integer(referenceColumn) {
      try context.sorter.append(
        SortRecord(topic: topic, rank: 1, key: destination, first: key, second: hash.bits))
    }
  }

  func take(_ record: SortRecord) throws {
    if record.rank == 0 {
      current = (record.key, ValueHash(bits: record.first))
      return
    }
    guard let current, current.key == record.key else { return }
    let copy = ValueHash(bits: record.second)
    if copy == current.value { return }
    try report(
      record.first, "the value differs from the value of p\(record.key)",
      code: copy == .null ? .derivedValueMissing : .derivedValueMismatch)
  }

  private func report(
    _ key: Int64, _ detail: String, code: FindingCode = .derivedValueMismatch
  ) throws {
    try context.report(
      code, objectID: context.objectID(key, in: attribute.table), propertyName: attribute.name,
      detail: code == .derivedValueMissing ? "" : detail)
  }
}

/// A hash of a value in 64 bits, the same on every run: enough to compare two values without
/// keeping them.
///
/// Values of different storage classes differ, except numbers: depending on a column's affinity,
/// SQLite stores 1.0 as the integer 1.
struct ValueHash: Equatable {
  static let null = ValueHash(bits: 0)

  /// The bits; 0 only for ``null``.
  let bits: Int64

  /// Restores a hash from a record.
  init(bits: Int64) { self.bits = bits }

  /// The hash of a value of a row; nil if the value is too large to borrow.
  init?(_ row: Row, _ column: Int) {
    if row.isNull(column) {
      self = .null
      return
    }
    var hasher = TupleHasher()
    guard hasher.add(row, column) else { return nil }
    let low = hasher.finish().low
    bits = Int64(bitPattern: low == 0 ? 1 : low)
  }
}
