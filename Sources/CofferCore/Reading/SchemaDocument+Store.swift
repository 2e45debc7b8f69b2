package import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore

extension SchemaDocument {
  /// The statement that creates a table; nil if there is none.
  package func creation(of shape: TableLayout) -> Statement? {
    statements.first {
      $0.kind == SchemaStatement.Kind.table.rawValue && $0.name.hasSameBytes(as: shape.storedName)
    }
  }

  /// Whether SQL can name the numbers of a table's rows.
  package func canNameRows(of shape: TableLayout) -> Bool {
    let name = RowPlan.hiddenRowNumber(besides: shape.fields.map(\.storedName))
    let text = creation(of: shape)?.text.uppercased()
    return text?.contains("WITHOUT ROWID") == false && shape.column(name) == nil
  }

  /// The definitions and settings of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - statements: the definitions, if they are not all of the store's own.
  package init(_ store: PersistentStore, _ statements: [SchemaStatement]? = nil) {
    self.init(
      pageSize: store.settings.pageSize, autoVacuum: store.settings.autoVacuum,
      encoding: store.settings.encoding, journalMode: store.settings.journalMode.rawValue,
      userVersion: store.settings.userVersion, applicationID: store.settings.applicationID,
      statements: (statements ?? store.catalog.statements).map {
        Statement(kind: $0.kind.rawValue, name: $0.name, table: $0.tableName, text: $0.sql)
      })
  }
}

extension TableLayout {
  /// The index of the column that a statement names; nil if there is none.
  package func column(_ name: String) -> Int? {
    let wanted = SchemaName(name)
    return fields.firstIndex { SchemaName($0.storedName) == wanted }
  }
}
