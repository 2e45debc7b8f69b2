internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks that each value is possible for its attribute's type.
final class ValueCheck: Check {
  static let name = CheckName.values
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext

  init(_ context: VerificationContext) { self.context = context }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .entity else { return nil }
    let attributes = AttributeColumn.all(of: table, context.subject.model)
    let plans = EntityPlans(
      context,
      attributes.compactMap { attribute in
        StoredForm(attribute.type).map {
          (attribute.entityName, Step(column: attribute.column, form: $0))
        }
      })
    if plans.isEmpty { return nil }
    let names = Dictionary(attributes.map { ($0.column, $0.name) }) { first, _ in first }
    return Visitor(table, plans, names, context)
  }

  /// A column and the required form of its values.
  private struct Step {
    let column: Int
    let form: StoredForm
  }

  private final class Visitor: RowVisitor {
    private let table: VerifiedTable
    private let plans: EntityPlans<Step>
    /// The names of the attributes by column.
    private let names: [Int: Name]
    private let context: VerificationContext

    init(
      _ table: VerifiedTable, _ plans: EntityPlans<Step>, _ names: [Int: Name],
      _ context: VerificationContext
    ) {
      self.table = table
      self.plans = plans
      self.names = names
      self.context = context
    }

    func visit(_ row: Row) throws {
      for index in plans.indices(for: row) {
        let step = plans[index]
        guard let defect = step.form.defect(of: row, step.column) else { continue }
        try report(defect, step, row)
      }
    }

    private func report(_ defect: StoredForm.Defect, _ step: Step, _ row: Row) throws {
      try context.report(
        Finding(
          defect.code, objectID: context.objectID(row, in: table), propertyName: names[step.column],
          detail: step.form.detail(of: defect, row, step.column)))
    }
  }
}
