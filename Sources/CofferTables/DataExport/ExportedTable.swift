internal import CoreDataLayout
internal import CoreDataModel

/// A table of the source with the parts of the output for its rows.
struct ExportedTable {
  /// The kinds of rows.
  let shape: TableLayout
  /// The objects of one entity, or the pairs of a relationship.
  var parts: [DataPart]
  /// The column of the primary key; nil for pairs, and for a table without one.
  var keyColumn: Int?
  /// The column of the entity number; nil for pairs, and if there is none.
  var entityColumn: Int?

  /// Whether the rows are pairs of a many-to-many relationship.
  var isPairs: Bool { shape.kind == .relationship }
  /// The root entity, or the entity of the relationship.
  var entityName: Name { shape.entityName ?? "" }

  /// The parts by entity number, without excluded ones.
  var partsByNumber: [Int64: Int] {
    var found: [Int64: Int] = [:]
    for (index, part) in parts.enumerated() where part.isChosen {
      if let number = part.number { found[number] = index }
    }
    return found
  }
}

/// The output of the objects of an entity, or of the pairs of a relationship.
struct DataPart {
  /// The entity, or the entity of the relationship.
  var entityName: Name
  /// The many-to-many relationship; nil for objects.
  var relationshipName: Name?
  /// The number of the entity in the source; nil for pairs.
  var number: Int64?
  /// Whether its objects are written; an excluded part only describes its columns.
  var isChosen = true
  /// Whether no object can belong to exactly this entity.
  var isAbstract = false
  /// Whether it has no output without rows.
  var skipsEmpty = false
  /// The columns in the order of the output.
  var columns: [DataColumn]

  /// The name: `Person`, `Person.tags`.
  var name: Name { relationshipName.map { "\(entityName).\($0)" } ?? entityName }
}
