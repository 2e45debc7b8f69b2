internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks that the schema creates the tables and columns that an archive has rows for.
enum LayoutCheck {
  /// Compares the layout with the tables created from the schema.
  static func check(
    _ layout: LayoutDocument, in catalog: SchemaCatalog, archive: String
  ) throws(CofferError) {
    for (position, shape) in layout.tables.enumerated() {
      if let problem = problem(of: shape, catalog.table(shape.storedName)) {
        throw CofferError(
          .damagedArchive, path: archive, entry: ArchiveEntryName.layout,
          detail: "tables[\(position)]: \(problem)")
      }
    }
  }

  private static func problem(of shape: TableLayout, _ table: SchemaTable?) -> String? {
    guard let table else { return "the schema does not create this table" }
    if case .virtual = table.kind { return "a virtual table does not store rows" }
    for (number, field) in shape.fields.enumerated() {
      guard let column = table.column(field.storedName), !column.isGenerated else {
        return "columns[\(number)]: the schema has no such column that can be written"
      }
    }
    if shape.hasRowNumbers, table.isWithoutRowID || table.rowIDAlias != nil {
      return "its rows have no row numbers"
    }
    return nil
  }
}
