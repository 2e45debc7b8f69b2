internal import CoreDataModel

/// The R-tree that goes with a transient attribute whose user info names coordinates, and the
/// triggers that keep it.
///
/// Its shadow tables come into being with it. Only those of two coordinates, of a root entity, were
/// seen. Source: store-format, section 5.7.
struct SpatialDesign {
  /// The virtual table; nil where its form is not known.
  let table: SchemaStatement?
  /// The rows that the triggers of the table would have written; nil if their form is not known.
  let filling: String?
  /// The triggers.
  let triggers: [SchemaStatement]

  init(
    _ attribute: AttributeDescription, of entity: EntityDescription, table source: String,
    columns: DesignColumns
  ) {
    let components = attribute.spatialComponents ?? []
    let found = components.compactMap {
      columns.column(of: entity.name, path: $0.joined(separator: "."))
    }
    guard found.count == 2, components.count == 2, entity.superentityName == nil else {
      table = nil
      filling = nil
      triggers = []
      return
    }
    let name = StoredName.spatialIndex(entity: entity.name, attribute: attribute.name)
    let bounds = found.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
    let declared = bounds.map { ", \($0) FLOAT" }.joined()
    table = SchemaStatement(
      kind: .virtualTable, name: name, tableName: name,
      sql: "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY\(declared))")
    // The blanks around the commas are Core Data's.
    let values = "NEW.Z_PK, NEW.\(found[0]) ,NEW.\(found[0]), NEW.\(found[1]), NEW.\(found[1])"
    let into = "INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (\(values)) ;"
    filling =
      "INSERT INTO \(name) SELECT Z_PK, \(found[0]), \(found[0]), \(found[1]), \(found[1]) "
      + "FROM \(source)"
    let bodies = [
      ("INSERT", "INSERT OR REPLACE \(into)"),
      ("UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(into)"),
      ("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"),
    ]
    triggers = bodies.map { event, body in
      SchemaStatement(
        kind: .trigger, name: "\(name)_\(event)", tableName: source,
        sql: "CREATE TRIGGER \(name)_\(event) AFTER \(event) ON \(source) FOR EACH ROW BEGIN "
          + "\(body) END")
    }
  }
}
