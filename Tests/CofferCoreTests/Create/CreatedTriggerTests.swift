internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A created store has the triggers of the store that shows its form, and no others.
@Suite struct CreatedTriggerTests {
  private static let query =
    "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"

  private func triggers(_ path: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: path).rows(Self.query)
  }

  @Test(.enabled(if: RealStores.isAvailable, "COFFER_REAL_STORES is not set"))
  func triggersOfRealStoresAreTaken() throws {
    let folder = try TemporaryDirectory()
    var count = 0
    for store in RealStores.all {
      let source = try PersistentStore(readingFrom: store.path)
      let known = source.catalog.triggers.filter { trigger in
        ["Z_DA_", "ZT_", "Z_RT_"].contains { trigger.name.hasPrefix($0) }
      }
      guard source.model.source != .inferred, !known.isEmpty,
        source.frameworkVersion ?? 0 >= 363
      else { continue }
      let copy = folder.file("\(count).sqlite")
      try StoreCreator().create(store.path, at: copy)
      #expect(
        try triggers(copy).map { $0[0] }
          == known.map(\.name).sorted().map { .text(Array($0.utf8)) }, "\(store.path)")
      count += 1
    }
    #expect(count > 3)
  }

  @Test func aTriggerThatTheStoreLacksIsNotMade() throws {
    let folder = try TemporaryDirectory()
    let (path, copy) = (folder.file("Todo.sqlite"), folder.file("Copy.sqlite"))
    try SampleStore.write(to: path)
    let all = try triggers(path)
    #expect(!all.isEmpty)
    guard case .text(let name) = all[0][0] else { return }
    try GeneratorDatabase(path: path)
      .run("DROP TRIGGER \"\(String(decoding: name, as: UTF8.self))\"")
    try StoreCreator().create(path, at: copy)
    #expect(try triggers(copy) == triggers(path))
  }

  @Test func indexesThatTheModelDoesNotAskForAreSaidToBeLeftOut() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Todo.sqlite")
    try SampleStore.write(to: path)
    let database = try GeneratorDatabase(path: path)
    func note() throws -> String? {
      try StoreCreator().create(path, at: folder.file("\(UUID().uuidString).sqlite")).notes
        .first { $0.contains("left out") }
    }
    #expect(try note() == nil)
    try database.run("CREATE INDEX Again ON ZATTACHMENTENTITY (ZITEM, Z2_ITEM)")
    try database.run("CREATE INDEX Again2 ON ZATTACHMENTENTITY (ZITEM, Z2_ITEM)")
    #expect(try note()?.hasPrefix("2 indexes of the store that its model does not ask for") == true)
    try database.run("DROP INDEX Again2")
    #expect(
      try note()
        == "the index Again of the store, which its model does not ask for, is left out")
    try database.run("DROP INDEX Again; CREATE INDEX Same ON ZATTACHMENTENTITY (ZITEM)")
    #expect(
      try note() == "indexes of the store over the same columns as others are left out (1)")
  }

  @Test func aStoreOfNoEntitiesIsSound() throws {
    let folder = try TemporaryDirectory()
    let (source, path) = (folder.file("Empty.xcdatamodel"), folder.file("Empty.sqlite"))
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    try Data("<?xml version='1.0'?><model/>".utf8)
      .write(to: URL(fileURLWithPath: "\(source)/contents"))
    try StoreCreator().create(source, at: path)
    var found: [String] = []
    _ = try Verifier().verify(path) { found.append("\($0)") }
    #expect(found == [])
  }

  @Test func aVersionOfASingleModelIsAnError() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Todo.sqlite")
    try SampleStore.write(to: path)
    let error = try #require(throws: CofferError.self) {
      try StoreCreator(options: CreationOptions(modelVersion: "Todo 2"))
        .create(path, at: folder.file("New.sqlite"))
    }
    #expect(error.code == .notAModel)
    #expect(error.detail.contains("Todo 2"))
  }
}
