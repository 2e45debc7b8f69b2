internal import CoreDataModel
internal import StoreGenerator

extension Damage {
  /// An object has more destinations than the model allows.
  package static let tooManyDestinations = Damage(
    "too-many-destinations", "TodoEntity/p1 has 21 attachments, one more than is allowed",
    sql: """
      WITH RECURSIVE n(i) AS (SELECT 7 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
      INSERT INTO ZATTACHMENTENTITY
      (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZITEM, Z2_ITEM, Z_FOK_ITEM, ZFILENAME, ZUUID, ZCHECKSUM)
      SELECT i, 1, 1, 0, 1, 4, 4096 + i, 'copy', CAST(printf('%016d', i) AS BLOB), x'00' FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 24 WHERE Z_NAME = 'AttachmentEntity'
      """)
  /// The model asks for at least one destination, and an object has none.
  package static let tooFewDestinations = Damage(
    "too-few-destinations", "LocationEntity/p3 has no visits, but the model asks for one"
  ) { path in
    try changeModel(of: path, "LocationEntity", "visits") {
      ($0.isOptional, $0.minCount) = (false, 1)
    }
  }
  /// The model asks for at least four destinations of a many-to-many relationship.
  package static let tooFewPairs = Damage(
    "too-few-pairs", "the model asks for four tags of a to-do that has any"
  ) { path in
    try changeModel(of: path, "TodoEntity", "tags") { $0.minCount = 4 }
  }

  static let counts = [tooManyDestinations, tooFewDestinations, tooFewPairs]

  /// Puts a model into the store in which a relationship of the sample's model is another one.
  private static func changeModel(
    of path: String, _ entity: Name, _ relationship: Name,
    _ change: (inout RelationshipDescription) -> Void
  ) throws {
    var entities = TodoModel.model.entities
    for index in entities.indices where entities[index].name == entity {
      for other in entities[index].relationships.indices
      where entities[index].relationships[other].name == relationship {
        change(&entities[index].relationships[other])
      }
    }
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: TodoModel.model.versionIdentifiers,
      source: .modelCache)
    try open(path) { database in
      try database.run(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(try ModelCacheWriter.write(model))])
    }
  }
}
