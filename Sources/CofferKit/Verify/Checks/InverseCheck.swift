internal import CoreDataLayout
internal import CoreDataModel

/// Checks that the two ends of every one-to-one relationship lead to each other, and that no object
/// is claimed by two.
///
/// Rules of who is named: an object that leads to one that does not lead back is named itself, with
/// its own relationship; a destination that several objects claim is named once, with the
/// relationship that should lead to one of them.
final class InverseCheck: Check {
  static let name = CheckName.inverses
  static let needsModel = true
  private let context: VerificationContext
  private var visitors: [Int: Visitor] = [:]

  init(_ context: VerificationContext) { self.context = context }

  func prepare() throws {
    var steps: [Int: [(entityName: String, step: Step)]] = [:]
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

  /// What a row is to one side of a relationship: one that claims, or one that may be claimed.
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
