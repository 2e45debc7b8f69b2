internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The metadata of a store.
@Suite struct MetadataTests {
  private static let table =
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"

  private func metadata(_ statements: [String]) throws -> StoreMetadata {
    try withDatabase(statements) { database in
      try StoreMetadata(database, catalog: try SchemaCatalog(database))
    }
  }

  private func metadata(plist: String) throws -> StoreMetadata {
    let hex = plist.utf8.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return try metadata([Self.table, "INSERT INTO Z_METADATA VALUES (1, 'U', x'\(hex)')"])
  }

  @Test func thePropertyListIsReadAndKept() throws {
    let plist = """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>NSStoreType</key><string>SQLite</string>
      <key>zeta</key><string>secret</string>
      <key>NSPersistenceFrameworkVersion</key><integer>1344</integer>
      <key>NSStoreModelVersionHashes</key><dict><key>Note</key><data>AAEC</data></dict>
      <key>NSStoreModelVersionHashesVersion</key><integer>3</integer>
      <key>NSStoreModelVersionIdentifiers</key><array><string>b</string><string>a</string></array>
      <key>NSStoreModelVersionHashesDigest</key><string>digest</string>
      <key>NSStoreModelVersionChecksumKey</key><string>checksum</string>
      <key>_NSAutoVacuumLevel</key><string>2</string>
      <key>migrationManagerClass</key><string>M</string>
      <key>Alpha</key><true/>
      </dict></plist>
      """
    let metadata = try metadata(plist: plist)
    #expect(metadata.version == 1)
    #expect(metadata.uuid == "U")
    #expect(metadata.propertyList == Array(plist.utf8))
    #expect(metadata.propertyListError == nil)
    #expect(metadata.storeType == "SQLite")
    #expect(metadata.frameworkVersion == 1344)
    #expect(metadata.era?.description == "macOS 14 / iOS 17")
    #expect(metadata.modelVersionHashes == ["Note": VersionHash(bytes: [0, 1, 2])])
    #expect(metadata.modelVersionIdentifiers == ["b", "a"])
    #expect(metadata.modelVersionHashesDigest == "digest")
    #expect(metadata.modelVersionChecksum == "checksum")
    #expect(metadata.wasMigratedInPlace)
    #expect(metadata.applicationKeys == ["Alpha", "zeta"])
  }

  @Test func aDamagedPropertyListIsKept() throws {
    let metadata = try metadata(plist: "bplist00 and no more")
    #expect(metadata.propertyList.count == 20)
    #expect(metadata.propertyListError != nil)
    #expect(metadata.era == nil)
  }

  @Test func aStoreMayHaveNoPropertyList() throws {
    let metadata = try metadata([Self.table, "INSERT INTO Z_METADATA VALUES (1, NULL, NULL)"])
    #expect(metadata.uuid == nil)
    #expect(metadata.propertyList == [])
    #expect(metadata.propertyListError == nil)
  }

  @Test(arguments: [
    ([], "no table Z_METADATA"), ([table], "Z_METADATA has no row"),
    (["CREATE TABLE Z_METADATA (Z_VERSION, Z_UUID)"], "Z_METADATA has no column Z_PLIST"),
  ])
  func whatIsNoStoreIsRefused(statements: [String], detail: String) throws {
    let error = #expect(throws: CofferError.self) { try metadata(statements) }
    #expect(error?.code == .notCoreData)
    #expect(error?.detail == detail)
  }

  @Test(arguments: [
    (100, "before Mac OS X 10.5 / iPhone OS 3"), (230, "Mac OS X 10.5 / iPhone OS 3"),
    (450, "after iOS 6, before iOS 7"), (1251, "macOS 13 / iOS 16"),
    (1526, "macOS 26 / iOS 26"), (Int64.max, "after macOS 26 / iOS 26"),
  ])
  func versionsAreNamedAfterTheirSystems(version: Int64, systems: String) {
    #expect(FrameworkEra(version: version).description == systems)
  }
}
