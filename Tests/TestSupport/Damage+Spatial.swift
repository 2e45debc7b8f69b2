internal import CoreDataModel

extension Damage {
  /// A spatial index, and an object in another place than it says.
  package static let wrongSpatialEntry = Damage(
    "wrong-spatial-entry", "the spatial index has LocationEntity/p1 in another place",
    afterIndexing: "UPDATE \(spatialIndex) SET ZLATITUDE_MIN = 1, ZLATITUDE_MAX = 1 WHERE Z_PK = 1")
  /// A spatial index without an object.
  package static let missingSpatialEntry = Damage(
    "missing-spatial-entry", "the spatial index lacks LocationEntity/p1",
    afterIndexing: "DELETE FROM \(spatialIndex) WHERE Z_PK = 1")
  /// A spatial index with an object that is not there.
  package static let straySpatialEntry = Damage(
    "stray-spatial-entry", "the spatial index has a location that is not there",
    afterIndexing: "INSERT INTO \(spatialIndex) VALUES (7, 1, 1, 2, 2)")
  /// A spatial index that no new object gets into.
  package static let missingSpatialTrigger = Damage(
    "missing-spatial-trigger", "the trigger of new objects of the spatial index is gone",
    afterIndexing: "DROP TRIGGER \(spatialIndex)_INSERT")
  static let spatial = [
    wrongSpatialEntry, missingSpatialEntry, straySpatialEntry, missingSpatialTrigger,
  ]

  /// The spatial index that these damages give the sample.
  package static let spatialIndex = "Z_RT_LocationEntity_bounds"

  /// The model of the sample with a spatial index over the places of the locations.
  private static var spatialModel: ManagedObjectModel {
    let entities = TodoModel.model.entities.map { entity in
      var entity = entity
      if entity.name == "LocationEntity" {
        entity.attributes.append(
          AttributeDescription(
            name: "bounds", type: .undefined, isTransient: true,
            userInfo: [
              "_NSLocationAttributeDerivedComponents": .string("place.latitude, place.longitude")
            ]))
      }
      return entity
    }
    return ManagedObjectModel(
      entities: entities, versionIdentifiers: TodoModel.model.versionIdentifiers,
      source: .modelCache)
  }

  /// Gives the sample a spatial index, and runs statements afterwards.
  private init(_ name: String, _ summary: String, afterIndexing sql: String) {
    self.init(name, summary) { path in try Self.addSpatialIndex(path, then: sql) }
  }

  /// Gives the sample a spatial index as Core Data makes it (store-format, section 5.7), and runs
  /// statements afterwards.
  package static func addSpatialIndex(_ path: String, then sql: String = "") throws {
    try open(path) { database in
      try database.run(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(try ModelCacheWriter.write(spatialModel))])
      let columns = "ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX"
      func row(_ prefix: String) -> String {
        "\(prefix)Z_PK, \(prefix)ZLATITUDE, \(prefix)ZLATITUDE, \(prefix)ZLONGITUDE, "
          + "\(prefix)ZLONGITUDE"
      }
      let types = columns.split(separator: ", ").map { "\($0) FLOAT" }.joined(separator: ", ")
      let insertion = "INSERT INTO \(spatialIndex) (Z_PK, \(columns))"
      func trigger(_ event: String, _ body: String) -> String {
        "CREATE TRIGGER \(spatialIndex)_\(event) AFTER \(event) ON ZLOCATIONENTITY "
          + "FOR EACH ROW BEGIN \(body) ; END;"
      }
      try database.run(
        "CREATE VIRTUAL TABLE \(spatialIndex) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(types));"
          + "\(insertion) SELECT \(row("")) FROM ZLOCATIONENTITY;"
          + trigger("INSERT", "\(insertion) VALUES (\(row("NEW.")))")
          + trigger(
            "UPDATE",
            "DELETE FROM \(spatialIndex) WHERE Z_PK = NEW.Z_PK ; "
              + "\(insertion) VALUES (\(row("NEW.")))")
          + trigger("DELETE", "DELETE FROM \(spatialIndex) WHERE Z_PK = OLD.Z_PK"))
      try database.run(sql)
    }
  }
}
