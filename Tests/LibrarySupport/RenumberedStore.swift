package import CofferKit
internal import Foundation
package import StoreGenerator
internal import TestSupport

/// Gives all objects of a generated store other primary keys, as an app that created them anew would,
/// with SQL alone.
package struct RenumberedStore {
  /// What identifies its objects, whatever their keys are.
  package static let keys = [
    NaturalKey(entityName: "ItemEntity", keyPaths: ["uuid"]),
    NaturalKey(entityName: "AttachmentEntity", keyPaths: ["uuid"]),
    NaturalKey(entityName: "PersonEntity", keyPaths: ["email"]),
    NaturalKey(entityName: "LocationEntity", keyPaths: ["name", "radius"]),
    NaturalKey(entityName: "VisitEntity", keyPaths: ["arrival"]),
    NaturalKey(entityName: "SettingsEntity", keyPaths: ["person"]),
  ]

  /// The columns with keys of each table of objects, everywhere in the store.
  package static let references: [(table: String, columns: [(table: String, column: String)])] = [
    ("ZATTACHMENTENTITY", []),
    (
      "ZITEMENTITY",
      [
        ("ZATTACHMENTENTITY", "ZITEM"), ("ZITEMENTITY", "ZPARENT"), ("Z_3BACKLINKS", "Z_3LINKS"),
        ("Z_3BACKLINKS", "Z_3BACKLINKS"), ("Z_4ASSIGNEES", "Z_4ASSIGNMENTS"),
        ("Z_4TAGS", "Z_4TODOS"),
      ]
    ),
    ("ZLOCATIONENTITY", [("ZITEMENTITY", "ZLOCATION"), ("ZVISITENTITY", "Z6VISITS")]),
    (
      "ZPERSONENTITY",
      [
        ("ZITEMENTITY", "ZAUTHOR"), ("ZSETTINGSENTITY", "ZPERSON"),
        ("Z_4ASSIGNEES", "Z_7ASSIGNEES"), ("Z_7FRIENDS", "Z_7FRIENDS"),
        ("Z_7FRIENDS", "REFLEXIVE"),
      ]
    ),
    ("ZSETTINGSENTITY", [("ZPERSONENTITY", "ZSETTINGS")]),
    ("ZTAGENTITY", [("Z_4TAGS", "Z_9TAGS")]),
    ("ZVISITENTITY", []),
  ]

  /// Renumbers a store: keys, versions, order keys, names of external files, and the UUID.
  package static func renumber(_ files: StoreFiles, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let database = try GeneratorDatabase(path: files.path)
    try database.registerCoreDataFunctions()
    let triggers = try database.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    ).map { ($0[0].text, $0[1].text) }
    for (name, _) in triggers { try database.run("DROP TRIGGER \"\(name)\"") }
    for (table, columns) in references {
      let keys = try database.rows("SELECT Z_PK FROM \(table)").compactMap(\.first?.integer)
      var others = keys.indices.map { Int64($0) * 3 + 1 }
      for index in others.indices.reversed() where index > 0 {
        others.swapAt(index, random.below(index + 1))
      }
      try database.run(
        "CREATE TEMP TABLE map (old INTEGER PRIMARY KEY, new INTEGER); BEGIN")
      for (key, other) in zip(keys, others) {
        try database.run("INSERT INTO map VALUES (\(key), \(other))")
      }
      // By way of negative keys, which no row has before.
      for (place, column) in columns + [(table, "Z_PK")] {
        try database.run(
          """
          UPDATE \(place) SET \(column) = -1 - (SELECT new FROM map WHERE old = \(column))
            WHERE \(column) IN (SELECT old FROM map);
          UPDATE \(place) SET \(column) = -1 - \(column) WHERE \(column) < 0;
          """)
      }
      try database.run("UPDATE \(table) SET Z_OPT = Z_OPT + 1 + Z_PK % 3; COMMIT; DROP TABLE map")
    }
    try database.run(
      """
      UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = Z_FOK_ITEM * 2 + 1;
      UPDATE Z_METADATA SET Z_UUID = 'A0000000-0000-4000-8000-000000000001';
      """)
    try renameFiles(files, database)
    for (_, text) in triggers { try database.run(text) }
  }

  private static func renameFiles(_ files: StoreFiles, _ database: GeneratorDatabase) throws {
    let rows = try database.rows(
      "SELECT Z_PK, CAST(substr(ZCONTENT, 2, 36) AS TEXT) FROM ZATTACHMENTENTITY "
        + "WHERE substr(ZCONTENT, 1, 1) = x'02' AND length(ZCONTENT) = 38")
    for (number, row) in rows.enumerated() {
      let digits = String(number + 1_000_000)
      let name = "B0000000-0000-4000-8000-00000\(digits)"
      let folder = files.externalDataFolder
      guard FileManager.default.fileExists(atPath: "\(folder)/\(row[1].text)") else { continue }
      try FileManager.default.moveItem(
        atPath: "\(folder)/\(row[1].text)", toPath: "\(folder)/\(name)")
      try database.run(
        "UPDATE ZATTACHMENTENTITY SET ZCONTENT = ? WHERE Z_PK = ?", [.external(name), row[0]])
    }
  }
}

extension StoreValue {
  /// The text; empty for anything else.
  package var text: String {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
  /// The integer; nil for anything else.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
