internal import CoreDataLayout
internal import CoreDataModel

/// Checks to-one relationships, and to-many relationships without an inverse from the side of their
/// destinations: the destination must exist, belong to an allowed entity, and match the stored
/// entity.
final class ReferenceCheck: Check {
  static let name = CheckName.references
  static let modelNeed = ModelNeed.relationships
  private let context: VerificationContext
  private var visitors: [Int: Visitor] = [:]

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    for table in context.objectTables {
      var steps: [(holders: EntitySet, step: ReferenceColumn)] = []
      for column in table.shape.fields.indices {
        if let reference = ReferenceColumn(column, of: table, context) {
          steps.append((reference.holders, reference))
        }
      }
      if !steps.isEmpty { visitors[table.index] = Visitor(EntityPlans(context, steps)) }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? { visitors[table.index] }

  private final class Visitor: RowVisitor {
    private let plans: EntityPlans<ReferenceColumn>

    init(_ plans: EntityPlans<ReferenceColumn>) { self.plans = plans }

    func visit(_ row: Row) throws {
      // A finding cannot name a row without a key.
      guard let key = row.primaryKey else { return }
      for index in plans.indices(for: row) {
        try plans[index].visit(row, key: key, entity: row.entity)
      }
    }
  }
}
