internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts the rows of a table into an empty one, to see whether an import could.
///
/// Only tables need it whose schema asks for more than Core Data's does; keys of objects and pairs that
/// come twice are found without it.
final class RowTrial {
  private let construction: StoreConstruction
  private let hasRowNumbers: Bool
  private let columnCount: Int
  private let statement: PreparedStatement

  /// Prepares the trial of a table; nil for one that needs none, and for one of SQLite's own.
  init?(
    _ shape: TableLayout, _ documents: ArchiveDocuments, in construction: StoreConstruction
  ) throws(CofferError) {
    guard !shape.isInternal, Self.isNeeded(for: shape, documents) else { return nil }
    self.construction = construction
    hasRowNumbers = shape.hasRowNumbers
    columnCount = shape.fields.count
    statement = try construction.use { database throws(CofferError) in
      PreparedStatement(
        try database.prepareInsertion(
          table: shape.storedName, columns: shape.fields.map(\.storedName),
          hasRowNumbers: shape.hasRowNumbers))
    }
  }

  /// Inserts a row; returns the reason why that is not possible, in words, or nil if it is possible.
  func objection(to row: Row) throws(CofferError) -> String? {
    do throws(CofferError) {
      try construction.use { _ throws(CofferError) in
        for column in 0..<columnCount {
          statement.statement.bind(row.value(column), at: Int32(clamping: column + 1))
        }
        if hasRowNumbers {
          let number = row.rowNumber.map(SQLiteValue.integer) ?? .null
          statement.statement.bind(number, at: Int32(clamping: columnCount + 1))
        }
        try statement.statement.run()
      }
      return nil
    } catch {
      guard let objection = error.objectionToContent else { throw error }
      return objection
    }
  }

  /// Whether a row of a table can be refused for another reason than its key.
  private static func isNeeded(for shape: TableLayout, _ documents: ArchiveDocuments) -> Bool {
    if shape.hasRowNumbers || shape.isAdministration { return true }
    let name = SchemaName(shape.storedName)
    // Indexes of the model's constraints have a check of their own.
    let model = documents.model
    let hasConstraints =
      shape.kind == .entity
      && model.tree(of: shape.entityName ?? "").contains { !$0.uniquenessConstraints.isEmpty }
    return documents.schema.statements.contains { statement in
      guard SchemaName(statement.table) == name else { return false }
      if statement.kind == "index" {
        let isOfModel = hasConstraints && statement.name.contains("_UNIQUE_")
        return !isOfModel && has(["UNIQUE"], statement.text)
      }
      return statement.kind == "table"
        && has(
          // Keys of other tables are checked anyway.
          shape.kind == .unknown ? rules.union(["PRIMARY"]) : rules, statement.text)
    }
  }

  /// Words that ask for more than Core Data's tables do.
  private static let rules: Set<String> = ["CHECK", "NOT", "STRICT", "UNIQUE", "WITHOUT"]

  private static func has(_ words: Set<String>, _ text: String) -> Bool {
    var tokens = SQLTokens(text)
    while let token = tokens.next() {
      if words.contains(token.uppercased()) { return true }
    }
    return false
  }
}
