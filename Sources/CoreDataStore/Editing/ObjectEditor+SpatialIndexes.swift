package import CoreDataModel

/// Spatial indexes.
extension ObjectEditor {
  /// The spatial indexes of the store: the quoted name of each, the index of the table of its objects,
  /// its attribute, and the columns of that; nil where they are unknown.
  var spatialIndexes: [(name: String, table: Int, attribute: Name, columns: [Int]?)] {
    schema.model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        let name = StoredName.spatialIndex(entity: entity.name, attribute: attribute.name)
        guard let table = schema.table(of: entity.name), let found = store.catalog.table(name)
        else { return nil }
        let components = attribute.spatialComponents
        let columns = components?.compactMap { column(of: $0, entity.name, in: table) }
        return (
          quotedIdentifier(found.name), table, attribute.name,
          columns?.count == components?.count ? columns : nil
        )
      }
    }
  }

  /// Gives objects the entries of spatial indexes that Core Data's triggers would.
  ///
  /// Source: store-format, section 5.7.
  func updateSpatialIndexes() throws(CofferError) {
    for index in spatialIndexes {
      if let columns = index.columns {
        try updateSpatialIndex(index.name, of: index.table, columns)
      }
    }
  }

  private func updateSpatialIndex(
    _ index: String, of table: Int, _ columns: [Int]
  ) throws(CofferError) {
    let properties = ([Int(Self.inserted), Int(Self.removed)] + columns).map { "\($0)" }
      .joined(separator: ", ")
    let keys = "SELECT k FROM \(Self.touched) WHERE t = ?1 AND p IN (\(properties))"
    try write(index, of: table, columns, where: "Z_PK IN (\(keys))", .integer(Int64(table)))
  }

  private func write(
    _ index: String, of table: Int, _ columns: [Int], where condition: String,
    _ argument: SQLiteValue
  ) throws(CofferError) {
    try statements.run("DELETE FROM \(index) WHERE \(condition)", argument)
    let bounds = columns.map { "ifnull(\(name($0, of: table)), 0)" }.map { "\($0), \($0)" }
    try statements.run(
      "INSERT INTO \(index) SELECT Z_PK, \(bounds.joined(separator: ", ")) FROM \(name(table)) "
        + "WHERE \(condition)", argument)
  }

  /// Writes the entry of an object in the spatial index of an attribute again; removes the entry of
  /// an object that does not exist.
  ///
  /// - Returns: whether the entry was different; nil if there is no such index.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func writeSpatialEntry(
    _ attribute: Name, of object: StoredObject
  ) throws(CofferError) -> Bool? {
    var isChanged: Bool?
    for index in spatialIndexes
    where index.table == object.table && index.attribute == attribute {
      guard let columns = index.columns else { continue }
      let entry = "SELECT * FROM \(index.name) WHERE Z_PK = ?"
      let before = try statements.row(entry, .integer(object.key))
      try write(index.name, of: index.table, columns, where: "Z_PK = ?1", .integer(object.key))
      let after = try statements.row(entry, .integer(object.key))
      isChanged = isChanged == true || before != after
    }
    return isChanged
  }
}
