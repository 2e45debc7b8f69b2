internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// Counts the destinations of each object, for every to-many relationship.
final class FanOutSurvey: SurveyPart {
  /// A row's information about a relationship: the owner and the destination.
  private struct Step {
    let counter: FanOutCounter
    let owner: Int
    /// The column of the destination; nil if it is the row itself.
    let destination: Int?
  }

  /// A relationship by its declaring entity and name.
  private struct Place: Hashable {
    var entity: Name
    var name: Name

    init(_ relationship: RelationshipDescription, of entity: Name) {
      self.entity = entity
      name = relationship.name
    }
  }

  private var context: VerificationContext?
  private var counters: [Place: FanOutCounter] = [:]
  private var steps: [Int: [(entityName: Name, step: Step)]] = [:]
  private var pairs: [Int: [Step]] = [:]
  /// Whether all records were processed; before that, nothing is known about any owner.
  private var isComplete = false

  func begin(_ context: VerificationContext) { self.context = context }

  func prepare() {
    guard let context else { return }
    for entity in context.subject.model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        plan(relationship, of: entity.name, context)
      }
    }
  }

  private func plan(
    _ relationship: RelationshipDescription, of entity: Name, _ context: VerificationContext
  ) {
    guard let place = CountedPlace(relationship, of: entity, context),
      let counter = FanOutCounter(ofOwners: entity, context)
    else { return }
    counters[Place(relationship, of: entity)] = counter
    switch place {
    case .column(let table, let column, let holder):
      let step = Step(counter: counter, owner: column, destination: nil)
      steps[table, default: []].append((holder, step))
    case .pairs(let table, let columns):
      // A relationship that is its own inverse may have the same pair in both directions.
      pairs[table, default: []] += columns.map {
        Step(
          counter: counter, owner: $0.owner,
          destination: columns.count > 1 ? $0.destination : nil)
      }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard let context else { return nil }
    if let steps = steps[table.index] { return ObjectVisitor(EntityPlans(context, steps)) }
    return pairs[table.index].map(PairVisitor.init)
  }

  func rowsDone() throws {
    for counter in counters.values { try counter.endRun() }
  }

  func finish() { isComplete = true }

  /// The relationships, in ascending order of entities and names; to-many relationships only if all
  /// rows could be read.
  func relationships(
    of model: ManagedObjectModel, _ owners: OwnerCounts, _ columns: ColumnSurvey,
    _ broken: BrokenReferences
  ) -> [RelationshipFanOut] {
    var found: [RelationshipFanOut] = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let count = owners[entity.name]
        if relationship.isToMany {
          let counter = counters[Place(relationship, of: entity.name)]
          guard let counter, isComplete else { continue }
          found.append(counter.fanOut(of: relationship, entity.name, ownerCount: count))
        } else if let filled = columns.valueCount(ofToOne: relationship.name, entity: entity.name) {
          let lost = broken.count(of: relationship.name.text, entity: entity.name, model)
          found.append(
            .toOne(
              relationship, of: entity.name, ownerCount: count, filled: max(0, filled - lost)))
        }
      }
    }
    return found
  }

  /// Processes the objects of a table.
  private final class ObjectVisitor: RowVisitor {
    private let plans: EntityPlans<Step>

    init(_ plans: EntityPlans<Step>) { self.plans = plans }

    func visit(_ row: Row) throws {
      for index in plans.indices(for: row) {
        let step = plans[index]
        if let owner = row.integer(step.owner) { try step.counter.add(owner) }
      }
    }
  }

  /// Processes the pairs of a table.
  private final class PairVisitor: RowVisitor {
    private let steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    func visit(_ row: Row) throws {
      for step in steps {
        guard let owner = row.integer(step.owner) else { continue }
        guard let column = step.destination else {
          try step.counter.add(owner)
          continue
        }
        if let destination = row.integer(column) { try step.counter.add(owner, to: destination) }
      }
    }
  }
}

/// The to-one relationships that lead to no object, or to one of a wrong entity, according to the
/// findings.
struct BrokenReferences {
  /// By entity and relationship.
  private var counts: [[Name]: Int] = [:]

  /// Counts a finding, if it is about such a relationship.
  mutating func add(_ finding: Finding) {
    guard
      [.danglingRelationship, .invalidReference, .wrongDestination].contains(finding.code),
      let entity = finding.objectID?.entityName, let name = finding.propertyName
    else { return }
    counts[[entity, name], default: 0] += finding.multiplicity
  }

  /// The number for the objects of an entity and its subentities.
  func count(of name: String, entity: Name, _ model: ManagedObjectModel) -> Int {
    guard !counts.isEmpty else { return 0 }
    return model.tree(of: entity).reduce(0) {
      $0 + (counts[[$1.name, Name(name)]] ?? 0)
    }
  }
}

extension RelationshipFanOut {
  /// A to-one relationship, with the number of objects that have a destination.
  static func toOne(
    _ relationship: RelationshipDescription, of entity: Name, ownerCount: Int, filled: Int
  ) -> RelationshipFanOut {
    let isFull = ownerCount > 0 && filled >= ownerCount
    return RelationshipFanOut(
      entityName: entity, relationship: relationship, ownerCount: ownerCount,
      filledCount: min(filled, ownerCount), destinationCount: filled,
      median: FanOutCounter.median([(0, max(0, ownerCount - filled)), (1, filled)]),
      least: isFull ? 1 : 0,
      greatest: filled > 0 ? 1 : 0, steps: [], hubs: [])
  }
}
