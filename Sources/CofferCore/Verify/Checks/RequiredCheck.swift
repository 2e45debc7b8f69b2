internal import CoreDataLayout
internal import CoreDataModel

/// Checks that required attributes and to-one relationships have a value.
final class RequiredCheck: RunCheck, Check {
  static let name = CheckName.required
  static let modelNeed = ModelNeed.whole

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity else { return nil }
    let requirements = requirements(of: table)
    let plans = EntityPlans(
      context,
      requirements.enumerated().map { ($1.entityName, Step(column: $1.column, requirement: $0)) })
    if plans.isEmpty { return nil }
    return RowVisitor { [self] row in
      for index in plans.indices(for: row) where row.isNull(plans[index].column) {
        try reportMissing(requirements[plans[index].requirement], row, in: table)
      }
    }
  }

  private func reportMissing(
    _ requirement: Requirement, _ row: Row, in table: VerifiedTable
  ) throws {
    let isWithoutComposite = requirement.optionalGroups.contains { $0.allSatisfy(row.isNull) }
    if isWithoutComposite { return }
    try context.report(
      requirement.code, objectID: context.objectID(row, in: table),
      propertyName: requirement.propertyName)
  }

  /// A column that must not be empty, and the index of its requirement.
  private struct Step {
    let column: Int
    let requirement: Int
  }

  /// A column that must not be empty.
  private struct Requirement {
    let column: Int
    let entityName: Name
    let propertyName: Name
    let code: FindingCode
    /// The columns of each optional composite attribute that contains it.
    ///
    /// If all columns of one are empty, the composite attribute has no value, so none of its
    /// elements needs one.
    var optionalGroups: [[Int]] = []
  }

  /// The columns that must have a value, in the order of the table.
  private func requirements(of table: VerifiedTable) -> [Requirement] {
    let model = context.subject.model
    let columns = AttributeColumn.all(of: table, model)
    var found = columns.compactMap { Self.requirement(of: $0, among: columns) }
    for (column, field) in table.shape.fields.enumerated() {
      guard case .toOne(let name, let entity) = field.role,
        let relationship = model.relationship(name, of: entity)?.relationship,
        !relationship.isOptional, !relationship.isToMany
      else { continue }
      found.append(
        Requirement(
          column: column, entityName: entity, propertyName: name, code: .missingDestination))
    }
    return found.sorted { $0.column < $1.column }
  }

  /// The requirement of an attribute; nil for optional attributes and for derived ones, which the
  /// store computes.
  private static func requirement(
    of column: AttributeColumn, among columns: [AttributeColumn]
  ) -> Requirement? {
    let attribute = column.attribute
    guard !attribute.isOptional, !attribute.isTransient, !attribute.isDerived else { return nil }
    let hasDefault = attribute.defaultValue.map { $0 != .null } ?? false
    var requirement = Requirement(
      column: column.column, entityName: column.entityName, propertyName: column.name,
      code: hasDefault ? .missingValueWithDefault : .missingValue)
    var path = ""
    for composite in column.enclosing {
      path += "\(composite.name)."
      guard composite.isOptional else { continue }
      requirement.optionalGroups.append(
        columns.filter {
          $0.entityName == column.entityName && $0.name.utf8.starts(with: path.utf8)
        }
        .map(\.column))
    }
    return requirement
  }
}
