/// Passes the objects to the checks that the caller added.
final class CustomChecks: RunCheck, Check {
  static let name = CheckName.own
  static let modelNeed = ModelNeed.whole
  private var checks: [Runnable] = []

  /// A check with the entity of its objects and the columns of its properties.
  private struct Runnable {
    let check: any ObjectCheck
    let table: VerifiedTable
    let entities: EntitySet
    let columns: CustomColumns
  }

  func prepare() throws {
    for check in context.options.objectChecks {
      let entity = check.entityName
      guard let table = context.table(ofEntity: entity) else {
        try context.reportNotRun(
          Self.name, "\(type(of: check)): there is no entity named \(entity)")
        continue
      }
      let columns = CustomColumns(check.propertyNames, of: entity, in: table, context)
      if let missing = check.propertyNames.first(where: { !columns.has($0) }) {
        try context.reportNotRun(
          Self.name, "\(type(of: check)): \(entity) stores no property \(missing)")
        continue
      }
      checks.append(
        Runnable(check: check, table: table, entities: context.tree(of: entity), columns: columns))
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    let checks = checks.filter { $0.table.index == table.index }
    if checks.isEmpty { return nil }
    return RowVisitor { [context] row in
      for own in checks where own.entities.contains(row.entity) {
        guard let id = context.objectID(row, in: own.table) else { continue }
        let object = CheckedObject(id, row, own.columns)
        for finding in try own.check.findings(about: object) { try context.report(finding) }
      }
    }
  }
}
