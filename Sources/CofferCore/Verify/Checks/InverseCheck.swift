internal import CoreDataLayout
internal import CoreDataModel

/// Checks that both ends of every one-to-one relationship lead to each other, and that no two
/// objects claim the same destination.
///
/// If a destination does not lead back, the finding names the object that leads to it, with its own
/// relationship. If several objects claim a destination, the finding names the destination once,
/// with the relationship that should lead to one of them.
final class InverseCheck: Check {
  static let name = CheckName.inverses
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext
  private var visitors: [Int: Visitor] = [:]

  init(_ context: VerificationContext) { self.context = context }

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
    visitors = steps.mapValues { Visitor(EntityPlans(context, $0)) }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? { visitors[table.index] }

  /// The role of a row in one side of a relationship: it claims, or it can be claimed.
  private struct Step {
    var side: OneToOneSide
    var isClaim: Bool
  }

  private final class Visitor: RowVisitor {
    private let plans: EntityPlans<Step>

    init(_ plans: EntityPlans<Step>) { self.plans = plans }

    func visit(_ row: Row) throws {
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
