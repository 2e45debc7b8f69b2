internal import CoreDataModel

/// Checks the minimum and maximum counts of to-many relationships of every object.
///
/// Only relationships with a limit cost time. Missing destinations count too: the checks of
/// references and pairs report them.
final class CardinalityCheck: RunCheck, Check {
  static let name = CheckName.cardinality
  static let modelNeed = ModelNeed.whole
  private var steps: [Int: [(entityName: Name, step: Step)]] = [:]
  private var pairs: [Int: [PairStep]] = [:]

  func prepare() throws {
    for entity in context.subject.model.entities {
      for relationship in entity.relationships { plan(relationship, of: entity.name) }
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    if let steps = steps[table.index] {
      let plans = EntityPlans(context, steps)
      return RowVisitor { row in
        try plans.forEachStep(of: row) { step, key in
          guard let column = step.ownerColumn else { return try step.counted.addOwner(key) }
          if let owner = row.integer(column) { try step.counted.add(key, to: owner) }
        }
      }
    }
    return pairs[table.index].map { steps in
      RowVisitor { row in
        for step in steps {
          guard let owner = row.integer(step.owner),
            let destination = row.integer(step.destination)
          else { continue }
          try step.counted.add(destination, to: owner)
        }
      }
    }
  }

  // MARK: Planning

  private func plan(_ relationship: RelationshipDescription, of entity: Name) {
    guard let place = CountedPlace(relationship, of: entity, context),
      let counted = CountedRelationship(relationship, of: entity, context)
    else { return }
    switch place {
    case .pairs(let table, let columns):
      pairs[table, default: []] += columns.map {
        PairStep(counted: counted, owner: $0.owner, destination: $0.destination)
      }
    case .column(let table, let column, let holder):
      add(Step(counted: counted, ownerColumn: column), table, holder)
    }
    guard counted.mustNotBeEmpty, let owners = context.table(ofEntity: entity) else { return }
    add(Step(counted: counted, ownerColumn: nil), owners.index, entity)
  }

  private func add(_ step: Step, _ table: Int, _ entity: Name) {
    steps[table, default: []].append((entity, step))
  }

  /// The fact about a relationship in the row of an object.
  private struct Step {
    var counted: CountedRelationship
    /// The column with the owner's key; nil if the row is the owner.
    var ownerColumn: Int?
  }

  /// The fact about a relationship in a pair.
  private struct PairStep {
    var counted: CountedRelationship
    var owner: Int
    var destination: Int
  }
}

/// A to-many relationship with a minimum or maximum count.
///
/// The records have the key of the owner. If the relationship must not be empty, the first record
/// says that the owner exists. Its destinations follow in ascending order.
final class CountedRelationship: RecordConsumer {
  private enum Rank {
    static let owner: UInt32 = 0
    static let destination: UInt32 = 1
  }

  private unowned let context: VerificationContext
  private let sorter: RecordSorter
  private let relationship: RelationshipDescription
  private let owners: VerifiedTable
  private let allowed: EntitySet
  private var topic: UInt32 = 0

  private var current: Int64?
  private var isThere = false
  private var count = 0
  private var last: Int64 = 0

  /// Plans a relationship; nil if no limit can be violated.
  init?(_ relationship: RelationshipDescription, of entity: Name, _ context: VerificationContext) {
    guard relationship.isLimited,
      let owners = context.table(ofEntity: entity), let allowed = context.knownTree(of: entity)
    else { return nil }
    self.context = context
    self.relationship = relationship
    self.owners = owners
    self.allowed = allowed
    sorter = context.sorter
    topic = context.topic(self)
  }

  /// Whether the relationship must not be empty.
  ///
  /// An optional relationship may be empty, whatever its minimum is.
  var mustNotBeEmpty: Bool { !relationship.allowedCount.allows(0) }

  func addOwner(_ key: Int64) throws {
    try sorter.append(SortRecord(topic: topic, rank: Rank.owner, key: key, first: 0, second: 0))
  }

  func add(_ destination: Int64, to owner: Int64) throws {
    try sorter.append(
      SortRecord(topic: topic, rank: Rank.destination, key: owner, first: destination, second: 0))
  }

  func take(_ record: SortRecord) throws {
    if record.key != current {
      try endOwner()
      current = record.key
    }
    guard record.rank == Rank.destination else {
      isThere = true
      return
    }
    // The same pair may exist in both directions.
    guard count == 0 || record.first != last else { return }
    last = record.first
    count += 1
  }

  func topicDone() throws { try endOwner() }

  private func endOwner() throws {
    defer { (current, isThere, count) = (nil, false, 0) }
    guard let current, count > 0 || isThere else { return }
    let allowed = relationship.allowedCount
    guard !allowed.allows(count) else { return }
    if count < allowed.minimum {
      try report(.tooFewDestinations, current, "\(count) instead of at least \(allowed.minimum)")
    } else {
      let maximum = allowed.maximum ?? count
      try report(.tooManyDestinations, current, "\(count) instead of at most \(maximum)")
    }
  }

  private func report(_ code: FindingCode, _ key: Int64, _ detail: String) throws {
    // A wrong or missing owner is reported for the references to it.
    guard let found = try context.keys(of: owners)?.find(key), allowed.contains(found.entity)
    else { return }
    try context.report(
      code, objectID: context.objectID(key, in: owners), propertyName: relationship.name,
      detail: detail)
  }
}

extension RelationshipDescription {
  /// Whether it is a to-many relationship, and its stored destinations can be too many or too few.
  var isLimited: Bool {
    guard isToMany, !isTransient else { return false }
    let allowed = allowedCount
    return allowed.maximum != nil || allowed.minimum > (allowed.mayBeEmpty ? 1 : 0)
  }
}
