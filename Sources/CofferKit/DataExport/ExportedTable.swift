internal import CoreDataLayout

/// One table of the source with the parts of the output that its rows go to.
struct ExportedTable {
  /// The rows.
  let shape: TableLayout
  /// The objects of one entity, or the pairs of a relationship.
  var parts: [DataPart]
  /// The column of the primary key; nil for pairs, and for a table without one.
  var keyColumn: Int?
  /// The column of the number of an object's entity; nil for pairs, and where there is none.
  var entityColumn: Int?

  /// Whether the rows are pairs of a many-to-many relationship.
  var isPairs: Bool { shape.kind == .relationship }
  /// The root entity, or the entity that the relationship belongs to.
  var entityName: String { shape.entityName ?? "" }

  /// The parts by the numbers of their entities; those that are left out are not among them.
  var partsByNumber: [Int64: Int] {
    var found: [Int64: Int] = [:]
    for (index, part) in parts.enumerated() where part.isChosen {
      if let number = part.number { found[number] = index }
    }
    return found
  }
}

/// What becomes of the objects of one entity, or of the pairs of a relationship.
struct DataPart {
  /// The entity, or the one that the relationship belongs to.
  var entityName: String
  /// The many-to-many relationship; nil for objects.
  var relationshipName: String?
  /// The number of the entity in the source; nil for pairs.
  var number: Int64?
  /// Whether its objects are written; a part of an entity that is left out tells no more than its
  /// columns.
  var isChosen = true
  /// Whether no object can be of exactly this entity.
  var isAbstract = false
  /// The columns in the order of the output.
  var columns: [DataColumn]

  /// What it is called: `Person`, `Person.tags`.
  var name: String { relationshipName.map { "\(entityName).\($0)" } ?? entityName }
}
