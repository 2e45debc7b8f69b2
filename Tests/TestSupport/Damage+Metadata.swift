internal import CoreDataModel
internal import Foundation

extension Damage {
  /// The table of the metadata is gone.
  package static let missingMetadataTable = Damage(
    "missing-metadata-table", "Z_METADATA is gone", sql: "DROP TABLE Z_METADATA")
  /// There is no metadata.
  package static let missingMetadata = Damage(
    "missing-metadata", "Z_METADATA has no row", sql: "DELETE FROM Z_METADATA")
  /// The metadata is no property list.
  package static let garbageMetadata = Damage(
    "garbage-metadata", "the metadata is no property list",
    sql: "UPDATE Z_METADATA SET Z_PLIST = x'62706c6973743030ffff'")
  /// The metadata has no property list.
  package static let emptyMetadata = Damage(
    "empty-metadata", "the metadata has no property list",
    sql: "UPDATE Z_METADATA SET Z_PLIST = NULL")
  /// There are two rows of metadata.
  package static let surplusMetadata = Damage(
    "surplus-metadata", "Z_METADATA has two rows",
    sql: "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA")
  /// The UUID of the store is in small letters.
  package static let lowerCaseUUID = Damage(
    "lower-case-uuid", "the UUID of the store is in small letters",
    sql: "UPDATE Z_METADATA SET Z_UUID = lower(Z_UUID)")
  /// The store has no UUID.
  package static let missingUUID = Damage(
    "missing-uuid", "the store has no UUID", sql: "UPDATE Z_METADATA SET Z_UUID = NULL")
  /// An entity has no version hash.
  package static let missingVersionHash = Damage(
    "missing-version-hash", "VisitEntity has no version hash"
  ) { path in
    try changeHashes(path) { $0.removeAll { $0.key == "VisitEntity" } }
  }
  /// No entity has a version hash.
  package static let missingVersionHashes = Damage(
    "missing-version-hashes", "no entity has a version hash"
  ) { path in
    try changeHashes(path) { $0 = [] }
  }
  /// A version hash is too short.
  package static let shortVersionHash = Damage(
    "short-version-hash", "the version hash of VisitEntity has 4 bytes"
  ) { path in
    try changeHashes(path) { entries in
      entries = entries.map {
        .init($0.key, $0.key == "VisitEntity" ? .data([1, 2, 3, 4]) : $0.value)
      }
    }
  }
  /// There is a version hash of an entity that the model does not have.
  package static let surplusVersionHash = Damage(
    "surplus-version-hash", "there is a version hash of an entity that the model does not have"
  ) { path in
    try changeHashes(path) {
      $0.append(.init("WeatherEntity", .data([UInt8](repeating: 7, count: 32))))
    }
  }
  /// The digest of the version hashes is wrong.
  package static let wrongHashDigest = Damage(
    "wrong-hash-digest", "NSStoreModelVersionHashesDigest is not that of the hashes"
  ) { path in
    try changeMetadata(path) { entries in
      let wrong = Data(repeating: 1, count: 64).base64EncodedString()
      set("NSStoreModelVersionHashesDigest", to: .string(wrong), in: &entries)
    }
  }
  /// The metadata is that of a store in XML.
  package static let otherStoreType = Damage(
    "other-store-type", "the metadata says that the store is one in XML"
  ) { path in
    try changeMetadata(path) { set("NSStoreType", to: .string("XML"), in: &$0) }
  }
  /// The checksum of the model is wrong.
  package static let wrongModelChecksum = Damage(
    "wrong-model-checksum", "NSStoreModelVersionChecksumKey is not that of the hashes"
  ) { path in
    try changeMetadata(path) { entries in
      let wrong = Data(repeating: 1, count: 32).base64EncodedString()
      set("NSStoreModelVersionChecksumKey", to: .string(wrong), in: &entries)
    }
  }

  static let metadata = [
    missingMetadataTable, missingMetadata, garbageMetadata, emptyMetadata, surplusMetadata,
    lowerCaseUUID, missingUUID, missingVersionHash, missingVersionHashes, shortVersionHash,
    surplusVersionHash, wrongHashDigest, wrongModelChecksum, otherStoreType,
  ]

  // MARK: Property lists

  /// Changes the property list of the metadata.
  private static func changeMetadata(
    _ path: String, _ body: (inout [PropertyListValue.Entry]) throws -> Void
  ) throws {
    try open(path) { database in
      let value = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first
      guard case .blob(let bytes)? = value,
        var entries = try PropertyListValue.parse(bytes).entries
      else { throw GeneratorError("no metadata") }
      try body(&entries)
      try database.run(
        "UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(BinaryPlistWriter.write(.dictionary(entries)))])
    }
  }

  /// Changes the version hashes; values computed from them are left out, as in older stores.
  private static func changeHashes(
    _ path: String, _ body: (inout [PropertyListValue.Entry]) -> Void
  ) throws {
    try changeMetadata(path) { entries in
      let computed = ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"]
      entries.removeAll { computed.contains($0.key) }
      let key = "NSStoreModelVersionHashes"
      var hashes = PropertyListValue.dictionary(entries)[key]?.entries ?? []
      body(&hashes)
      set(key, to: .dictionary(hashes), in: &entries)
    }
  }

  private static func set(
    _ key: String, to value: PropertyListValue, in entries: inout [PropertyListValue.Entry]
  ) {
    entries = entries.map { .init($0.key, $0.key == key ? value : $0.value) }
  }
}
