internal import CoreDataArchive
internal import CoreDataStore

extension StoreRehearsal {
  /// The statements of a store's schema that no import could restore, with a finding for each.
  ///
  /// Statements that an import refuses are not run; they have a separate finding.
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
  /// The policy of every import.
  static let ofArchives = Self(
    statementCount: ArchiveLimits.standard.statements,
    schemaSize: ArchiveLimits.standard.schemaSize,
    statementSize: ArchiveLimits.standard.statementSize)
}

extension SchemaPolicy {
  /// The statements of a schema that an import would refuse, with a finding for each.
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
  /// The statement of a document; nil for an unknown kind.
  init?(_ statement: SchemaDocument.Statement) {
    guard let kind = Kind(rawValue: statement.kind) else { return nil }
    self.init(kind: kind, name: statement.name, tableName: statement.table, sql: statement.text)
  }
}
