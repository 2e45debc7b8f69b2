internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Whether the tables that an archive brings rows for are there, with the columns that it names.
enum LayoutCheck {
  /// Compares the layout with the tables that were created from the schema.
  ///
  /// - Parameters:
  ///   - layout: the tables that get rows.
  ///   - catalog: the schema of the store that is being built.
  ///   - archive: the archive, for errors.
  /// - Throws: `CofferError` with the code `damaged-archive`.
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
    if case .virtual = table.kind { return "a virtual table has no rows of its own" }
    for (number, field) in shape.fields.enumerated() {
      guard let column = table.column(field.storedName), !column.isGenerated else {
        return "columns[\(number)]: the schema has no such column to be filled"
      }
    }
    if shape.hasRowNumbers, table.isWithoutRowID || table.rowIDAlias != nil {
      return "its rows have no numbers of their own"
    }
    return nil
  }
}
