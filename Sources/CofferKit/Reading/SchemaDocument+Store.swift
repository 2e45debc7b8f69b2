internal import CoreDataArchive
internal import CoreDataStore

extension SchemaDocument {
  /// The definitions and settings of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - statements: the definitions, where they are not all of the store's own.
  init(_ store: PersistentStore, _ statements: [SchemaStatement]? = nil) {
    self.init(
      pageSize: store.settings.pageSize, autoVacuum: store.settings.autoVacuum,
      encoding: store.settings.encoding, journalMode: store.settings.journalMode.rawValue,
      userVersion: store.settings.userVersion, applicationID: store.settings.applicationID,
      statements: (statements ?? store.catalog.statements).map {
        Statement(kind: $0.kind.rawValue, name: $0.name, table: $0.tableName, text: $0.sql)
      })
  }
}
