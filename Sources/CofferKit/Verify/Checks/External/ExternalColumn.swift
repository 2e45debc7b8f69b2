internal import CoreDataLayout
internal import CoreDataModel

/// A column whose values are either in their row or in a file of their own.
struct ExternalColumn {
  /// The table.
  let table: VerifiedTable
  /// The column.
  let column: Int
  /// The path of the attribute.
  let propertyName: String

  /// Describes a column; nil for one whose values are always in their row.
  init?(_ table: VerifiedTable, _ column: Int) {
    guard case .attribute(let path, _, true, _) = table.shape.fields[column].role else {
      return nil
    }
    self.table = table
    self.column = column
    propertyName = path.joined(separator: ".")
  }
}
