internal import CoreDataLayout
internal import CoreDataModel

/// Checks that both objects of every pair of a many-to-many relationship exist and belong to the
/// right entities.
///
/// An inferred model is enough for it.
final class PairCheck: RunCheck, Check {
  static let name = CheckName.pairs
  private var pairTables: [Int: PairTable] = [:]

  func prepare() {
    for table in context.tables {
      if let pairs = PairTable(table, context) { pairTables[table.index] = pairs }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    pairTables[table.index].map { RowVisitor(visit: $0.visit) }
  }
}

private final class PairTable: RecordConsumer {
  /// One side of the pairs.
  private struct End {
    let column: Int
    let entity: Name
    let objects: VerifiedTable
    let keys: KeyDirectory
    /// The allowed entities; nil if unknown.
    let allowed: EntitySet?

    init?(
      _ role: FieldRole, _ table: VerifiedTable, _ entity: Name, _ context: VerificationContext
    ) {
      guard let column = table.column(role), let objects = context.table(ofEntity: entity),
        let keys = context.keys(of: objects)
      else { return nil }
      self.column = column
      self.entity = entity
      self.objects = objects
      self.keys = keys
      allowed = context.knownTree(of: entity)
    }
  }

  /// The known state of an end.
  private enum State {
    case sound
    case wrongEntity
    case missing
  }

  private unowned let context: VerificationContext
  private let entities: EntityIndices
  private let source: End
  private let destination: End
  private let relationship: Name
  private let isReflexive: Bool
  private var topic: UInt32 = 0

  init?(_ table: VerifiedTable, _ context: VerificationContext) {
    guard table.shape.kind == .relationship, let entity = table.shape.entityName,
      let name = table.shape.relationshipName,
      let found = context.subject.model.relationship(name, of: entity)?.relationship,
      let source = End(.source, table, entity, context),
      let destination = End(.destination, table, found.destinationName, context)
    else { return nil }
    self.context = context
    self.source = source
    self.destination = destination
    entities = context.entities
    relationship = name
    isReflexive =
      found.inverseName == name
      && found.destinationName == entity
    topic = context.topic(self)
  }

  func visit(_ row: Row) throws {
    // Anything but an integer is not a key, and neither is 0.
    let from = row.integer(source.column) ?? 0
    let to = row.integer(destination.column) ?? 0
    let start = try state(of: from, source)
    let end = try state(of: to, destination)
    if start == .sound, end == .sound { return }
    if start == .missing && from != 0 || end == .missing && to != 0 {
      // It may still follow.
      try context.sorter.append(SortRecord(topic: topic, rank: 0, key: from, first: to, second: 0))
    } else {
      try report(from, to, start, end)
    }
  }

  func take(_ record: SortRecord) throws {
    let start = try state(of: record.key, source)
    let end = try state(of: record.first, destination)
    try report(record.key, record.first, start, end)
  }

  private func state(of key: Int64, _ end: End) throws -> State {
    guard key != 0, let found = try end.keys.find(key) else { return .missing }
    // An unknown entity is reported for the object itself.
    guard let allowed = end.allowed, found.entity < entities.count else { return .sound }
    return allowed.contains(found.entity) ? .sound : .wrongEntity
  }

  private func report(_ from: Int64, _ to: Int64, _ start: State, _ end: State) throws {
    func finding(_ code: FindingCode, _ detail: String) -> Finding {
      Finding(
        code, objectID: ManagedObjectID(entityName: source.entity, primaryKey: from),
        propertyName: relationship, detail: detail)
    }
    func report(_ code: FindingCode, _ detail: @autoclosure () throws -> String) throws {
      try context.report(
        code, of: source.entity, property: relationship, finding(code, try detail()))
    }
    if start == .missing || end == .missing {
      let detail =
        start != .missing
        ? "the destination is missing"
        : end != .missing ? "the source is missing" : "both source and destination is missing"
      try context.reportDangling(
        start == .missing ? from : to, in: start == .missing ? source.objects : destination.objects,
        finding(isReflexive ? .danglingReflexivePair : .danglingPair, detail))
    }
    if start == .wrongEntity {
      try report(.wrongDestination, "the source belongs to another entity")
    }
    if end == .wrongEntity {
      try report(
        .wrongDestination,
        "it is \(try context.objectID(to, in: destination.objects, otherwise: destination.entity))")
    }
  }
}
