internal import CoreDataArchive
internal import CoreDataStore

extension StoreRehearsal {
  /// What of a store's schema no import could restore, a finding for each statement.
  ///
  /// Statements that an import objects to are not run; they have a finding of their own.
  ///
  /// - Throws: as ``StoreRehearsal/init(_:settings:place:)``.
  static func findings(about store: PersistentStore) throws -> [Finding] {
    let statements = store.catalog.statements
    let policy = SchemaPolicy(statements)
    let rehearsal = try StoreRehearsal(
      statements.filter { policy.objection(to: $0) == nil }, settings: store.settings,
      bounds: .ofArchives, place: store.path)
    return rehearsal.refusals.map {
      Finding(.unrestorableSchema, detail: "\($0.statement.label): \($0.reason)")
    }
  }
}

extension StoreRehearsal.Bounds {
  /// What every import accepts.
  static let ofArchives = Self(
    statementCount: ArchiveLimits.standard.statements,
    schemaSize: ArchiveLimits.standard.schemaSize,
    statementSize: ArchiveLimits.standard.statementSize)
}

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
