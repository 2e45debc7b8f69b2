internal import CoreDataArchive
internal import CoreDataStore

extension SchemaPolicy {
  /// What an import would object to in a schema, a finding for each statement.
  static func findings(about schema: SchemaDocument) -> [Finding] {
    let statements = schema.statements.compactMap(SchemaStatement.init)
    let policy = SchemaPolicy(statements)
    return statements.compactMap { statement in
      policy.objection(to: statement).map {
        Finding(.unusualSchema, detail: "\(statement.label): it \($0)")
      }
    }
  }
}

extension SchemaStatement {
  /// The statement of a document; nil for a kind that there is not.
  init?(_ statement: SchemaDocument.Statement) {
    guard let kind = Kind(rawValue: statement.kind) else { return nil }
    self.init(kind: kind, name: statement.name, tableName: statement.table, sql: statement.text)
  }
}
