internal import CoreDataArchive
internal import CoreDataModel

/// Checks the minimum and maximum counts of to-many relationships of every object.
///
/// Only relationships with a limit cost time. Missing destinations count too: the checks of
/// references and pairs report them.
final class CardinalityCheck: Check {
  static let name = CheckName.cardinality
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext
  private var steps: [Int: [(entityName: String, step: Step)]] = [:]
  private var pairs: [Int: [PairStep]] = [:]

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    for entity in context.subject.model.entities {
      for relationship in entity.relationships { plan(relationship, of: entity.name) }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    if let steps = steps[table.index] { return ObjectVisitor(EntityPlans(context, steps)) }
    return pairs[table.index].map(PairVisitor.init)
  }

  // MARK: Planning

  private func plan(_ relationship: RelationshipDescription, of entity: String) {
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

  private func add(_ step: Step, _ table: Int, _ entity: String) {
    steps[table, default: []].append((entity, step))
  }

  // MARK: Rows

  /// What the row of an object says about a relationship.
  private struct Step {
    var counted: CountedRelationship
    /// The column with the owner's key; nil if the row is the owner.
    var ownerColumn: Int?
  }

  private final class ObjectVisitor: RowVisitor {
    private let plans: EntityPlans<Step>

    init(_ plans: EntityPlans<Step>) { self.plans = plans }

    func visit(_ row: Row) throws {
      try plans.forEachStep(of: row) { step, key in
        guard let column = step.ownerColumn else { return try step.counted.addOwner(key) }
        if let owner = row.integer(column) { try step.counted.add(key, to: owner) }
      }
    }
  }

  /// What a pair says about a relationship.
  private struct PairStep {
    var counted: CountedRelationship
    var owner: Int
    var destination: Int
  }

  private final class PairVisitor: RowVisitor {
    private let steps: [PairStep]

    init(_ steps: [PairStep]) { self.steps = steps }

    func visit(_ row: Row) throws {
      for step in steps {
        guard let owner = row.integer(step.owner),
          let destination = row.integer(step.destination)
        else { continue }
        try step.counted.add(destination, to: owner)
      }
    }
  }
}
