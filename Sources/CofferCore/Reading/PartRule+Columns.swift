package import CoreDataArchive
package import CoreDataLayout
internal import CoreDataStore

extension PartRule {
  /// The columns whose values decide whether a row ends its part; the number of columns represents the row
  /// number.
  package static func keyColumns(of shape: TableLayout, _ schema: SchemaDocument) -> [Int] {
    if shape.kind == .entity {
      return [shape.fields.firstIndex { $0.role == .primaryKey }].compactMap { $0 }
    }
    if shape.hasRowNumbers { return [shape.fields.count] }
    let statement = schema.creation(of: shape)?.text ?? ""
    return PrimaryKeyClause.columns(ofTable: statement).compactMap(shape.column)
  }
}
