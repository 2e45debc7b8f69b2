internal import CoreDataLayout
internal import CoreDataModel

extension LayoutDocument {
  /// The reason why the tables cannot be those of a store with a schema; nil if they can.
  ///
  /// Names of tables and columns are compared as SQLite does, in either letter case.
  package func problem(with schema: SchemaDocument) -> String? {
    let created = Set(
      schema.statements.lazy.filter { $0.kind == "table" }.map { foldedName($0.name) })
    var folders: Set<String> = []
    var names: Set<[UInt8]> = []
    var roots: Set<ExactString> = []
    for (position, table) in tables.enumerated() {
      let place = "tables[\(position)]"
      guard folders.insert(table.folder).inserted else {
        return "\(place): its folder is that of another table"
      }
      let name = foldedName(table.storedName)
      guard names.insert(name).inserted else { return "\(place): the table comes twice" }
      guard created.contains(name) else {
        return "\(place): the schema does not create this table"
      }
      if table.kind == .entity, let entity = table.entityName,
        !roots.insert(entity).inserted
      {
        return "\(place): its entity is that of another table"
      }
      guard (1...ArchiveLimits.columnCount).contains(table.fields.count) else {
        return "\(place): no table has \(table.fields.count) columns"
      }
      var columns: Set<[UInt8]> = []
      for field in table.fields where !columns.insert(foldedName(field.storedName)).inserted {
        return "\(place): a column comes twice"
      }
    }
    return nil
  }
}
