internal import CoreDataLayout
internal import CoreDataModel

/// Checks every to-one relationship, and every to-many relationship without inverse from the side of
/// its destinations: whether it leads to an object, to one that it may lead to, and whether the
/// entity noted beside it is that of the object.
final class ReferenceCheck: Check {
  static let name = CheckName.references
  private let context: VerificationContext
  private var visitors: [Int: Visitor] = [:]

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    context.noteInferredModel(Self.name)
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
      // A row without a key is no object that a finding could name.
      guard let key = row.primaryKey else { return }
      for index in plans.indices(for: row) {
        try plans[index].visit(row, key: key, entity: row.entity)
      }
    }
  }
}
