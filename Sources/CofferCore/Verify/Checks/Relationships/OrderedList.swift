internal import CoreDataArchive
internal import CoreDataModel

/// The positions of one ordered relationship, by owner.
///
/// Findings name the member, with its relationship to the owner. Only equal positions matter, not
/// how they are numbered.
final class OrderedList: RecordConsumer {
  /// One end of the relationship.
  struct End {
    /// The table of its objects.
    var table: VerifiedTable
    /// The entity to use for missing objects.
    var entity: String
    /// Its relationship to the other end, as findings name it; nil if an inferred model lacks it.
    var property: String?
  }

  private unowned let context: VerificationContext
  private let sorter: RecordSorter
  private let member: End
  private let owner: End
  private let orderColumn: Int
  private var topic: UInt32 = 0
  private var last: SortRecord?

  /// Plans a list with a column of positions.
  init(_ orderColumn: Int, of member: End, in owner: End, _ context: VerificationContext) {
    self.context = context
    self.member = member
    self.owner = owner
    self.orderColumn = orderColumn
    sorter = context.sorter
    topic = context.topic(self)
  }

  /// Checks the position of an object that refers to its owner.
  func visit(_ row: Row, member key: Int64, ownerColumn: Int) throws {
    if !row.isNull(ownerColumn) {
      try visit(row, member: key, owner: row.integer(ownerColumn))
    } else if !row.isNull(orderColumn) {
      try report(.surplusOrderKey, key, "")
    }
  }

  /// Checks the position of a member.
  ///
  /// If its owner is not a key, the position is not compared.
  func visit(_ row: Row, member key: Int64, owner: Int64?) throws {
    if let position = row.integer(orderColumn) {
      guard let owner else { return }
      try sorter.append(
        SortRecord(topic: topic, rank: 0, key: owner, first: position, second: key))
    } else if row.isNull(orderColumn) {
      try report(.missingOrderKey, key, try owner.map { try "in \(list(of: $0))" } ?? "")
    } else {
      try report(.invalidOrderKey, key, "it is \(row.kind(orderColumn))")
    }
  }

  func take(_ record: SortRecord) throws {
    defer { last = record }
    guard let last, last.key == record.key, last.first == record.first else { return }
    // An archive can contain a row twice.
    guard last.second != record.second else { return }
    let other = try name(of: last.second, member)
    try report(.duplicateOrderKey, record.second, "as \(other) in \(list(of: record.key))")
  }

  private func name(of key: Int64, _ end: End) throws -> ManagedObjectID {
    try context.objectID(key, in: end.table, otherwise: end.entity)
  }

  /// The name of an owner's list.
  private func list(of key: Int64) throws -> String {
    let object = try name(of: key, owner)
    return owner.property.map { "\(object).\($0)" } ?? object.description
  }

  private func report(_ code: FindingCode, _ key: Int64, _ detail: String) throws {
    try context.report(
      Finding(code, objectID: name(of: key, member), propertyName: member.property, detail: detail))
  }
}
