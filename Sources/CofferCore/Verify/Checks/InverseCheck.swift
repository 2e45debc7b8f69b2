internal import CoreDataLayout
internal import CoreDataModel

/// Checks that both ends of every one-to-one relationship lead to each other, and that no two
/// objects claim the same destination.
///
/// If a destination does not lead back, the finding names the object that leads to it, with its own
/// relationship. If several objects claim a destination, the finding names the destination once,
/// with the relationship that should lead to one of them.
final class InverseCheck: RunCheck, Check {
  static let name = CheckName.inverses
  static let modelNeed = ModelNeed.whole
  private var visitors: [Int: RowVisitor] = [:]

  func prepare() throws {
    var steps: [Int: [(entityName: Name, step: Step)]] = [:]
    for table in context.objectTables {
      for column in table.shape.fields.indices {
        guard case .toOne(_, let entity) = table.shape.fields[column].role,
          let side = OneToOneSide(column, of: table, context)
        else { continue }
        steps[table.index, default: []].append((entity, Step(side: side, isClaim: true)))
        steps[side.inverse.table.index, default: []].append(
          (side.inverse.holder, Step(side: side, isClaim: false)))
      }
    }
    visitors = steps.mapValues { steps in
      let plans = EntityPlans(context, steps)
      return RowVisitor { row in
        try plans.forEachStep(of: row) { step, key in
          if step.isClaim {
            try step.side.visitClaim(row, key: key)
          } else {
            try step.side.visitLead(row, key: key)
          }
        }
      }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? { visitors[table.index] }

  /// The role of a row in one side of a relationship: it claims, or it can be claimed.
  private struct Step {
    var side: OneToOneSide
    var isClaim: Bool
  }
}

/// One side of a one-to-one relationship: the objects that claim a destination, and where the
/// destinations lead.
///
/// The records have the key of the destination. The first says where the destination leads,
/// followed by the objects that claim it in ascending order. Each side of a relationship has its
/// own records; a relationship that is its own inverse has only one side.
final class OneToOneSide: RecordConsumer {
  /// The kinds of records about a destination.
  private enum Rank {
    /// Where the destination leads.
    static let lead: UInt32 = 0
    /// An object that leads to it.
    static let claim: UInt32 = 1
  }

  private unowned let context: VerificationContext
  private let sorter: RecordSorter
  private let table: VerifiedTable
  private let property: Name
  private let column: Int
  private let far: Far
  private var topic: UInt32 = 0

  /// The other side of the relationship.
  struct Far {
    let table: VerifiedTable
    /// The inverse relationship.
    let property: Name
    let column: Int
    /// The entity that declares it.
    let holder: Name
    fileprivate let allowed: EntitySet
  }

  /// The destination of the current records.
  private var current: Int64?
  private var lead: SortRecord?
  private var claimCount = 0
  private var lastClaim: Int64 = 0

  /// Plans a column; nil if it is not a one-to-one relationship.
  init?(_ column: Int, of table: VerifiedTable, _ context: VerificationContext) {
    let model = context.subject.model
    guard case .toOne(let name, let entity) = table.shape.fields[column].role,
      let relationship = model.relationship(name, of: entity)?.relationship,
      let inverse = model.inverse(of: relationship), !inverse.relationship.isToMany,
      let farTable = context.table(ofEntity: relationship.destinationName),
      let farColumn = farTable.column(
        .toOne(name: inverse.relationship.name, entity: inverse.declaredBy)),
      let allowed = context.knownTree(of: relationship.destinationName)
    else { return nil }
    self.context = context
    self.table = table
    self.column = column
    property = name
    far = Far(
      table: farTable, property: inverse.relationship.name, column: farColumn,
      holder: inverse.declaredBy, allowed: allowed)
    sorter = context.sorter
    topic = context.topic(self)
  }

  var inverse: Far { far }

  /// Records the destination that an object of this side claims.
  func visitClaim(_ row: Row, key: Int64) throws {
    // Other values dangle or are not references, which the check of references reports.
    guard let destination = row.integer(column), destination != 0 else { return }
    try sorter.append(
      SortRecord(topic: topic, rank: Rank.claim, key: destination, first: key, second: 0))
  }

  /// Records where an object of the other side leads.
  func visitLead(_ row: Row, key: Int64) throws {
    guard !row.isNull(far.column) else { return }
    let back = row.integer(far.column)
    try sorter.append(
      SortRecord(
        topic: topic, rank: Rank.lead, key: key, first: back ?? 0, second: back == nil ? 0 : 1))
  }

  func take(_ record: SortRecord) throws {
    if record.key != current {
      try endDestination()
      current = record.key
    }
    guard record.rank == Rank.claim else {
      lead = lead ?? record
      return
    }
    // An archive can contain an object twice, but it claims once.
    guard claimCount == 0 || record.first != lastClaim else { return }
    claimCount += 1
    lastClaim = record.first
    if let lead {
      let leadsBack = lead.second == 1 && lead.first == record.first
      if !leadsBack { try report(.inverseMismatch, record) }
    } else {
      try report(.inverseMissing, record)
    }
  }

  func topicDone() throws { try endDestination() }

  private func endDestination() throws {
    defer { (current, lead, claimCount) = (nil, nil, 0) }
    guard let current, claimCount > 1, try isDestination(current) else { return }
    try context.report(
      .sharedDestination, objectID: context.objectID(current, in: far.table),
      propertyName: far.property, detail: "\(claimCount) objects refer to it")
  }

  /// Whether the object exists and is an allowed destination.
  ///
  /// If not, the check of references reports it.
  private func isDestination(_ key: Int64) throws -> Bool {
    guard let found = try context.keys(of: far.table)?.find(key) else { return false }
    return far.allowed.contains(found.entity)
  }

  private func report(_ code: FindingCode, _ claim: SortRecord) throws {
    guard try isDestination(claim.key) else { return }
    let destination = try context.objectID(claim.key, in: far.table)
    try context.report(
      code, objectID: context.objectID(claim.first, in: table), propertyName: property,
      detail: "\(destination).\(far.property)")
  }
}
