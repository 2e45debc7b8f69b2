internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

/// Stores that are created from real ones are what Core Data made, without the objects; needs
/// `COFFER_REAL_STORES`.
@Suite(.enabled(if: RealStores.isAvailable, "needs the real stores"))
struct CreatedRealStoreTests {
  /// The stores with a model of their own.
  private static let stores = RealStores.all.filter { store in
    (try? ModelLoader.model(from: store.path)) != nil
  }

  private func withCreated(
    _ store: RealStore,
    _ body: (PersistentStore, PersistentStore, _ path: String, CreationSummary) throws -> Void
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Created.sqlite")
    let place = try TemporaryDirectory()
    let source = try RealStores.copy(store, to: place)
    let summary = try StoreCreator().create(source, at: path)
    try body(
      try PersistentStore(readingFrom: source), try PersistentStore(readingFrom: path), path,
      summary)
    #expect(try folder.contents().filter { !$0.hasPrefix("Created.sqlite-") } == ["Created.sqlite"])
    withExtendedLifetime(place) {}
  }

  @Test func thereAreSixtyTwoModels() { #expect(Self.stores.count == 62) }

  @Test(arguments: stores)
  func theAdministrationIsThatOfTheStore(store: RealStore) throws {
    try withCreated(store) { real, created, _, summary in
      #expect(created.model == real.model)
      #expect(created.registry.rows.map(\.number) == real.registry.rows.map(\.number))
      #expect(
        created.registry.rows.map(\.superentityNumber)
          == real.registry.rows.map(\.superentityNumber))
      #expect(created.registry.rows.allSatisfy { $0.maximumPrimaryKey == .integer(0) })
      #expect(created.registry.systemRows == [])
      let (old, new) = (real.metadata, created.metadata)
      #expect(new.modelVersionHashes == old.modelVersionHashes)
      #expect(new.modelVersionHashesDigest == old.modelVersionHashesDigest)
      #expect(new.modelVersionChecksum == old.modelVersionChecksum)
      #expect(new.modelVersionIdentifiers == old.modelVersionIdentifiers)
      #expect(new.frameworkVersion == old.frameworkVersion)
      #expect(new.uuid == summary.storeUUID && new.uuid != old.uuid)
      #expect(created.settings == StoreSettings())
      #expect(summary.hasVersionHashes)
      #expect(created.layout.missing == [])
    }
  }

  /// The keys of the metadata that the framework writes, in this store, when it makes it.
  @Test(arguments: stores)
  func theMetadataHaveTheKeysOfTheFramework(store: RealStore) throws {
    try withCreated(store) { real, created, _, _ in
      func keys(_ store: PersistentStore) throws -> Set<String> {
        let list = try PropertyListValue.parse(store.metadata.propertyList)
        return Set((list.entries ?? []).map(\.key))
      }
      let own = try keys(real).subtracting(real.metadata.applicationKeys)
        .subtracting(["migrationManagerClass", "NSPersistentStoreRebuildIndicies"])
      #expect(try keys(created) == own)
    }
  }

  @Test(arguments: stores)
  func nothingIsWrongInACreatedStore(store: RealStore) throws {
    try withCreated(store) { _, _, path, _ in
      let findings = try Verification(of: path).texts
      #expect(findings == [])
    }
  }

  @Test(arguments: stores)
  func aCreatedStoreComesBackFromItsArchive(store: RealStore) throws {
    try withCreated(store) { _, _, path, _ in
      let problems = try RoundTrip(of: path).problems()
      #expect(problems == [])
    }
  }

  @Test(arguments: stores)
  func aCreatedStoreIsAModelForTheSameStore(store: RealStore) throws {
    try withCreated(store) { _, created, path, _ in
      let again = try TemporaryDirectory()
      let archive = again.file("archive")
      try StoreExporter().export(try PersistentStore(readingFrom: path), to: archive)
      for source in [path, archive] {
        let copy = again.file("Again.sqlite")
        try StoreCreator(options: CreationOptions(overwriting: true)).create(source, at: copy)
        let store = try PersistentStore(readingFrom: copy)
        #expect(store.catalog.statements == created.catalog.statements)
        #expect(store.metadata.modelVersionHashes == created.metadata.modelVersionHashes)
      }
    }
  }

  /// What of an independent decoder's output says how an archive is made, and not what the model is.
  private static let archiveKeys: Set<String> = [
    "proxy", "P", "derivationRaw", "predicateRaw", "source",
  ]

  @Test(.enabled(if: Oracle.isAvailable), arguments: stores)
  func anIndependentDecoderReadsTheSameModel(store: RealStore) throws {
    try withCreated(store) { real, _, path, _ in
      let (old, new) = (
        try Oracle.run("modelcache.py", [real.path]), try Oracle.run("modelcache.py", [path])
      )
      #expect(new.status == 0 && new.errorOutput == "")
      #expect(try Self.plain(old.outputBytes) == Self.plain(new.outputBytes))
    }
  }

  private static func plain(_ bytes: [UInt8]) throws -> NSObject {
    func plain(_ value: Any) -> Any {
      if let object = value as? [String: Any] {
        return object.filter { !archiveKeys.contains($0.key) }.mapValues(plain)
      }
      return (value as? [Any])?.map(plain) ?? value
    }
    let value = plain(try JSONSerialization.jsonObject(with: Data(bytes)))
    return try #require(value as? NSDictionary)
  }

  @Test(.enabled(if: Oracle.isAvailable), arguments: stores)
  func anIndependentGeneratorFindsEveryStatement(store: RealStore) throws {
    try withCreated(store) { _, _, path, _ in
      let result = try Oracle.run("ddl.py", [path])
      #expect(result.output.contains("fresh Z_ENT ok"), "\(result.output)")
      for count in ["t_cols=0", "t_set=0", "t_bad=0", "i_bad=0", "missing=0", "extra=0"] {
        #expect(result.output.contains(count), "\(result.output)")
      }
    }
  }
}
