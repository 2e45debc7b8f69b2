internal import CoreDataLayout

/// The plans of the lines of one table: one for each entity that its objects can be of, and one for
/// all other rows.
struct TablePlans {
  /// The number of the entity whose lines do not name it, because the folder does; nil for tables
  /// that hold no objects.
  let rootNumber: Int64?
  /// The plan of rows that are of no entity that is known, and of all rows of other tables.
  let fallback: LinePlan
  private let plans: [Int64: LinePlan]

  /// Makes the plans of a table.
  init(_ shape: TableLayout, _ entities: NumberedEntities) {
    let builder = LinePlanBuilder(shape: shape)
    rootNumber = shape.entityName.flatMap { entities.numbers[$0] }
    switch shape.kind {
    case .entity:
      plans = entities.lineages(below: shape.entityName).mapValues(builder.plan(forLineage:))
      fallback = builder.planForUnknownEntity()
    case .relationship:
      plans = [:]
      fallback = builder.planForPairs()
    default:
      plans = [:]
      fallback = builder.planForPlainRows()
    }
  }

  /// How many steps the longest plan has.
  var mostSteps: Int { plans.values.reduce(fallback.steps.count) { max($0, $1.steps.count) } }

  /// The plan for objects of an entity; nil stands for no entity that is known.
  func plan(for entity: Int64?) -> LinePlan { entity.flatMap { plans[$0] } ?? fallback }
}
