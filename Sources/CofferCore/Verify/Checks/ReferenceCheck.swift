internal import CoreDataLayout
internal import CoreDataModel

/// Checks to-one relationships, and to-many relationships without an inverse from the side of their
/// destinations: the destination must exist, belong to an allowed entity, and match the stored
/// entity.
final class ReferenceCheck: RunCheck, Check {
  static let name = CheckName.references
  static let modelNeed = ModelNeed.relationships
  private var visitors: [Int: RowVisitor] = [:]

  func prepare() throws {
    for table in context.objectTables {
      var steps: [(holders: EntitySet, step: ReferenceColumn)] = []
      for column in table.shape.fields.indices {
        if let reference = ReferenceColumn(column, of: table, context) {
          steps.append((reference.holders, reference))
        }
      }
      if steps.isEmpty { continue }
      let plans = EntityPlans(context, steps)
      visitors[table.index] = RowVisitor { row in
        // A finding cannot name a row without a key.
        guard let key = row.primaryKey else { return }
        for index in plans.indices(for: row) {
          try plans[index].visit(row, key: key, entity: row.entity)
        }
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? { visitors[table.index] }
}

/// A column with the key of another object: a to-one relationship, or the owner in a to-many
/// relationship without an inverse.
///
/// A reference is checked immediately if its destination has already been read; otherwise after all
/// rows.
final class ReferenceColumn: RecordConsumer {
  /// The meaning of a column.
  struct Meaning {
    var property: Name
    var destination: Name
    /// The entity whose objects can have a value.
    var holder: Name
    /// Whether it leads to the owner in a relationship without an inverse.
    var isOwner: Bool
  }

  /// The meaning of a record's last value.
  private enum Rank {
    static let plain: UInt32 = 0
    static let withNotedEntity: UInt32 = 1
  }

  private unowned let context: VerificationContext
  private let sorter: RecordSorter
  private let entities: EntityIndices
  private let table: VerifiedTable
  private let meaning: Meaning
  private let column: Int
  private let entityColumn: Int?
  private let destination: VerifiedTable
  private let keys: KeyDirectory
  /// The allowed destination entities; nil if unknown.
  private let allowed: EntitySet?
  /// The entities whose objects may have an owner; nil for to-one relationships.
  private let owned: EntitySet?
  private var topic: UInt32 = 0

  /// Plans a column; nil if it is not a reference, or if its destinations have no table.
  init?(_ column: Int, of table: VerifiedTable, _ context: VerificationContext) {
    let role = table.shape.fields[column].role
    guard let meaning = Self.meaning(of: role, context.subject.model),
      let destination = context.table(ofEntity: meaning.destination),
      let keys = context.keys(of: destination)
    else { return nil }
    self.context = context
    self.table = table
    self.meaning = meaning
    self.column = column
    self.destination = destination
    self.keys = keys
    sorter = context.sorter
    entities = context.entities
    if case .toOne(let name, let entity) = role {
      entityColumn = table.column(.toOneEntity(name: name, entity: entity))
    } else {
      entityColumn = nil
    }
    allowed = context.knownTree(of: meaning.destination)
    owned = meaning.isOwner ? context.knownTree(of: meaning.holder) : nil
    topic = context.topic(self)
  }

  /// The entities whose rows are checked.
  ///
  /// Owners are checked in every row of the table, whatever its entity is.
  var holders: EntitySet {
    let root = table.shape.entityName ?? meaning.holder
    return context.tree(of: meaning.isOwner ? root : meaning.holder)
  }

  private static func meaning(of role: FieldRole, _ model: ManagedObjectModel) -> Meaning? {
    switch role {
    case .toOne(let name, let entity):
      guard let found = model.relationship(name, of: entity) else { return nil }
      return Meaning(
        property: name, destination: found.relationship.destinationName, holder: entity,
        isOwner: false)
    case .owner(let entity, let name):
      guard let found = model.relationship(name, of: entity) else { return nil }
      return Meaning(
        property: "\(entity).\(name)", destination: entity,
        holder: found.relationship.destinationName, isOwner: true)
    default: return nil
    }
  }

  /// Checks the reference of an object.
  func visit(_ row: Row, key: Int64, entity: UInt16) throws {
    guard let target = row.integer(column) else {
      if !row.isNull(column) {
        try report(.invalidReference, key, "it is \(row.kind(column))")
      } else if let entityColumn, !row.isNull(entityColumn) {
        let detail = "an entity is stored, but no key"
        try report(.wrongDestinationEntity, key, detail)
      }
      return
    }
    if let owned, !owned.contains(entity) {
      try report(.wrongDestination, key, "the relationship allows only \(meaning.holder)")
    }
    var rank = Rank.plain
    var noted: Int64 = 0
    if let entityColumn {
      if let number = row.integer(entityColumn) {
        (rank, noted) = (Rank.withNotedEntity, number)
      } else {
        let detail =
          row.isNull(entityColumn)
          ? "no entity is stored" : "the stored entity is \(row.kind(entityColumn))"
        try report(.wrongDestinationEntity, key, detail)
      }
    }
    if target != 0, let found = try keys.find(target) {
      try judge(entity: found.entity, from: key, to: target, rank: rank, noted: noted)
    } else {
      let record = SortRecord(topic: topic, rank: rank, key: target, first: key, second: noted)
      try sorter.append(record)
    }
  }

  /// Checks a reference whose destination had not been read at the time.
  func take(_ record: SortRecord) throws {
    // No object has the key 0, even if a row has it.
    guard record.key != 0, let found = try keys.find(record.key) else {
      let missing = ManagedObjectID(entityName: meaning.destination, primaryKey: record.key)
      return try context.reportDangling(
        record.key, in: destination,
        finding(.danglingRelationship, record.first, missing.description))
    }
    try judge(
      entity: found.entity, from: record.first, to: record.key, rank: record.rank,
      noted: record.second)
  }

  /// Compares the entity of a destination with the allowed entities and the stored entity.
  private func judge(
    entity: UInt16, from key: Int64, to target: Int64, rank: UInt32, noted: Int64
  ) throws {
    // The unknown entity is reported for the destination itself.
    guard let number = entities.number(entity) else { return }
    if let allowed, !allowed.contains(entity) {
      let name = entities.name(entity) ?? ""
      let destination = ManagedObjectID(entityName: name, primaryKey: target)
      try report(.wrongDestination, key, "it is \(destination)")
    }
    if rank == Rank.withNotedEntity, noted != number {
      let name = entities.name(entities.index(of: noted)) ?? "number \(noted)"
      let destination = ManagedObjectID(entityName: entities.name(entity) ?? "", primaryKey: target)
      try report(
        .wrongDestinationEntity, key,
        "the stored entity is \(name), but the destination is \(destination)")
    }
  }

  private func report(_ code: FindingCode, _ key: Int64, _ detail: String) throws {
    try context.report(finding(code, key, detail))
  }

  private func finding(_ code: FindingCode, _ key: Int64, _ detail: String) throws -> Finding {
    Finding(
      code, objectID: try context.objectID(key, in: table), propertyName: meaning.property,
      detail: detail)
  }
}
