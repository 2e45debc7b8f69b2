internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import Synchronization
internal import TestSupport
internal import Testing

/// Stores that are created from real ones equal Core Data's stores, without the objects.
@Suite
struct CreatedRealStoreTests {
  /// The stores with a model of their own.
  private static let stores = RealStores.any.filter { store in
    (try? ModelLoader.model(from: store.path)) != nil
  }

  /// A store that was created from another one, made by the first who asks.
  private struct Creation: Sendable {
    let source: String
    let path: String
    let summary: CreationSummary
    let folders: [TemporaryDirectory]
  }

  private static let creations = Mutex<[RealStore: Creation]>([:])

  private func creation(_ store: RealStore) throws -> Creation {
    if let made = Self.creations.withLock({ $0[store] }) { return made }
    let folder = try TemporaryDirectory.untilExit()
    let place = try TemporaryDirectory.untilExit()
    let source = try RealStores.copy(store, to: place)
    let path = folder.file("Created.sqlite")
    let summary = try StoreCreator().create(source, at: path)
    #expect(try folder.contents().filter { !$0.hasPrefix("Created.sqlite-") } == ["Created.sqlite"])
    let made = Creation(source: source, path: path, summary: summary, folders: [folder, place])
    Self.creations.withLock { $0[store] = made }
    return made
  }

  private func withCreated(
    _ store: RealStore,
    _ body: (PersistentStore, PersistentStore, _ path: String, CreationSummary) throws -> Void
  ) throws {
    let made = try creation(store)
    try body(
      try PersistentStore(readingFrom: made.source), try PersistentStore(readingFrom: made.path),
      made.path, made.summary)
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func thereAreSixtyTwoModels() { #expect(Self.stores.count == 62) }

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

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func aFolderOfVersionsGivesTheHashesOfItsStores() throws {
    let store = try #require(RealStores.named("SampleModel3_V1.sqlite"))
    let place = try #require(store.path.range(of: "SampleModel3_V1.sqlite", options: .backwards))
    let folder = try TemporaryDirectory()
    let path = folder.file("Created.sqlite")
    let options = CreationOptions(modelVersion: "SampleModel3", frameworkVersion: 1344)
    try StoreCreator(options: options)
      .create(store.path[..<place.lowerBound] + "SampleModel3.momd", at: path)
    let (real, created) = (
      try PersistentStore(readingFrom: store.path), try PersistentStore(readingFrom: path)
    )
    #expect(created.metadata.modelVersionHashes == real.metadata.modelVersionHashes)
    #expect(created.metadata.modelVersionHashesDigest == real.metadata.modelVersionHashesDigest)
    #expect(created.metadata.modelVersionChecksum == real.metadata.modelVersionChecksum)
    #expect(created.catalog.statements == real.catalog.statements)
  }

  /// Compares the models of pairs of stores, except for their archiving, and prints the names of stores with
  /// differences.
  private static let comparison = """
    import sys, os
    sys.path.insert(0, os.environ['COFFER_ORACLES'])
    import modelcache
    def plain(value):
        if isinstance(value, list): return [plain(x) for x in value]
        if not isinstance(value, dict): return value
        value = {k: plain(x) for k, x in value.items()
                 if k not in ('proxy', 'P', 'derivationRaw', 'predicateRaw', 'source')}
        if 'properties' in value: value['properties'].sort(key=lambda p: p['name'])
        if 'subentities' in value: value['subentities'].sort()
        return value
    count = 0
    for line in sys.stdin.read().split(chr(10)):
        if not line: continue
        real, created = line.split(chr(9))
        count += 1
        if plain(modelcache.load_store(real)) != plain(modelcache.load_store(created)): print(real)
    print('compared', count)
    """

  @Test(.enabled(if: Oracle.isAvailable)) func independentJudgesAgree() throws {
    let folder = try TemporaryDirectory()
    var pairs: [(real: String, created: String)] = []
    for store in Self.stores {
      let path = folder.file("\(pairs.count).sqlite")
      try StoreCreator().create(store.path, at: path)
      pairs.append((store.path, path))
    }
    let python = try #require(ProcessRunner.find("python3"))
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONIOENCODING"] = "utf-8"
    let lines = pairs.map { "\($0.real)\t\($0.created)" }.joined(separator: "\n")
    let models = try ProcessRunner(python, environment: environment)
      .run(["-c", Self.comparison], input: Array(lines.utf8))
    #expect(models.output == "compared 62\n")
    #expect(models.errorOutput == "")
    let schemas = try Oracle.run("ddl.py", pairs.map(\.created))
    let answers = schemas.output.split(separator: "\n").filter { $0.contains(".sqlite fw ") }
    #expect(answers.count == 62)
    for answer in answers {
      #expect(answer.contains(" fresh Z_ENT ok "))
      for count in ["t_cols=0", "t_set=0", "t_bad=0", "i_bad=0", "missing=0", "extra=0"] {
        #expect(answer.contains(count), "\(answer)")
      }
    }
  }
}
