internal import CoreDataModel

/// A derived attribute that counts the destinations of a to-many relationship, such as
/// `count:(todos)`.
///
/// Records: the key is the owner's; rank 0 has the stored count, and whether it is an integer; each
/// destination is a record of rank 1. Like the store's triggers, this counts rows of any entity.
final class DerivedCount: DerivedValues {
  /// The column that contains the key of each destination's owner.
  private struct Place {
    let table: Int
    let column: Int
  }

  /// The stored count of an owner.
  private enum Content: Int64 {
    case count, nothing, other
  }

  private let context: VerificationContext
  private let attribute: DerivedAttribute
  private let place: Place
  private var topic: UInt32 = 0
  private var owner: (key: Int64, content: Content, count: Int64)?
  private var destinationCount: Int64 = 0

  init?(_ attribute: DerivedAttribute, _ context: VerificationContext) {
    guard let name = attribute.countedRelationship,
      let found = context.subject.model.relationship(name, of: attribute.entityName),
      let place = Self.place(found.relationship, found.declaredBy, context)
    else { return nil }
    self.context = context
    self.attribute = attribute
    self.place = place
    topic = context.topic(self)
  }

  /// The table and the column with the keys of the owners; nil if the store has none, and for a
  /// relationship that is its own inverse, whose pairs may represent one or both directions.
  private static func place(
    _ relationship: RelationshipDescription, _ entity: Name, _ context: VerificationContext
  ) -> Place? {
    switch CountedPlace(relationship, of: entity, context) {
    case .column(let table, let column, _): Place(table: table, column: column)
    case .pairs(let table, let columns) where columns.count == 1:
      Place(table: table, column: columns[0].owner)
    default: nil
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    let holdsCounts = table.index == attribute.table.index
    let holdsDestinations = table.index == place.table
    guard holdsCounts || holdsDestinations else { return nil }
    return RowVisitor { [self] row in
      if holdsDestinations { try takeDestination(row) }
      if holdsCounts { try takeCount(row) }
    }
  }

  private func takeDestination(_ row: Row) throws {
    guard let owner = row.integer(place.column) else { return }
    try context.sorter.append(SortRecord(topic: topic, rank: 1, key: owner, first: 0, second: 0))
  }

  private func takeCount(_ row: Row) throws {
    guard let key = row.primaryKey, attribute.entities.contains(row.entity) else { return }
    let count = row.integer(attribute.column)
    let content: Content = count != nil ? .count : row.isNull(attribute.column) ? .nothing : .other
    try context.sorter.append(
      SortRecord(topic: topic, rank: 0, key: key, first: count ?? 0, second: content.rawValue))
  }

  func take(_ record: SortRecord) throws {
    if record.rank == 0 {
      try compare()
      owner = (record.key, Content(rawValue: record.second) ?? .other, record.first)
      destinationCount = 0
    } else if record.key == owner?.key {
      destinationCount &+= 1
    }
  }

  func topicDone() throws {
    try compare()
    owner = nil
  }

  private func compare() throws {
    guard let owner else { return }
    if owner.content == .count, owner.count == destinationCount { return }
    try context.report(
      owner.content == .nothing ? .derivedValueMissing : .derivedValueMismatch,
      objectID: context.objectID(owner.key, in: attribute.table), propertyName: attribute.name,
      detail:
        "there \(destinationCount == 1 ? "is 1 destination" : "are \(destinationCount) destinations")"
    )
  }
}
