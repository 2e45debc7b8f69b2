internal import CoreDataLayout
internal import CoreDataModel

/// A column whose values are either in the row or in a file.
struct ExternalColumn {
  /// The table.
  let table: VerifiedTable
  /// The column.
  let column: Int
  /// The path of the attribute.
  let propertyName: String

  /// Describes a column; nil if its values are always in the row.
  init?(_ table: VerifiedTable, _ column: Int) {
    guard case .attribute(let path, _, true, _) = table.shape.fields[column].role else {
      return nil
    }
    self.table = table
    self.column = column
    propertyName = path.joined(separator: ".")
  }
}
