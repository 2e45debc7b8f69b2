internal import CoreDataModel
internal import Foundation

extension SampleStoreBuilder {
  /// Writes an external file and returns the value that refers to it.
  package func writeExternalFile(named name: String, _ bytes: [UInt8]) throws -> StoreValue {
    try FileManager.default.createDirectory(
      atPath: files.externalDataFolder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/\(name)"))
    return .external(name)
  }

  /// Completes the store: indexes, triggers, the tables of the system, the journal mode.
  package func finish() throws {
    for statement in schema.indexStatements + schema.triggerStatements {
      try database.run(statement)
    }
    try database.run(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
      Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
      """)
    for entity in schema.entitiesInOrder {
      let isRoot = entity.superentityName == nil
      let last =
        lastPrimaryKeys[entity.name, default: 0] + extraPrimaryKeys[entity.name.text, default: 0]
      try database.run(
        "INSERT INTO Z_PRIMARYKEY VALUES (?,?,?,?)",
        [
          .integer(Int64(schema.number(entity.name))), .string(entity.name.text),
          .integer(Int64(schema.number(entity.superentityName ?? ""))),
          .integer(isRoot ? last : 0),
        ])
    }
    try database.run(
      "INSERT INTO Z_METADATA VALUES (1,?,?)",
      [.string(identity.uuid), .blob(identity.propertyList(schema.model))])
    try database.run(
      "INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(try ModelCacheWriter.write(schema.model))])
    try writeHistory()
    try database.run("COMMIT; PRAGMA journal_mode = \(journal.rawValue)")
  }
}
