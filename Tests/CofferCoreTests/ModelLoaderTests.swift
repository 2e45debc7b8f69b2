internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A model is read from whatever holds one.
@Suite struct ModelLoaderTests {
  @Test func aStoreAndItsArchiveGiveTheModel() throws {
    let sample = try SampleCopy()
    #expect(try ModelLoader.model(from: sample.path) == TodoModel.model)
    let archive = sample.folder.file("model.bin")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
    #expect(try ModelLoader.model(from: archive) == TodoModel.model)
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func compiledModelsAndFoldersOfThemGiveTheModel() throws {
    let folder = try #require(Self.folder("XCServerCoreData.momd"))
    let current = try ModelLoader.model(from: folder)
    #expect(current.source == .file)
    #expect(current == (try ModelLoader.model(from: folder + "/XCServerCoreData2.0.2.mom")))
    #expect(current != (try ModelLoader.model(from: folder + "/XCServerCoreData.mom")))
  }

  @Test(arguments: ["", "<?xml version='1.0'?>", "\n ", "\u{FEFF}", "<!-- made by a script -->\n"])
  func aSourceNeedsNoDeclaration(_ start: String) throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("M.xcdatamodel"), withIntermediateDirectories: true)
    _ = try folder.write(
      "\(start)<model><entity name='A'/></model>".utf8, to: "M.xcdatamodel/contents")
    let model = try ModelLoader.model(from: folder.file("M.xcdatamodel"))
    #expect(model.entities.map(\.name) == ["A"])
  }

  @Test func whatHoldsNoModelIsRefused() throws {
    let folder = try TemporaryDirectory()
    func code(_ path: String) -> String? {
      errorCode { _ = try ModelLoader.model(from: path) }
    }
    #expect(code(folder.file("nothing")) == "not-found")
    #expect(code(folder.path) == "not-a-model")
    #expect(code(try folder.write([], to: "empty")) == "not-a-model")
    #expect(code(try folder.write("{}".utf8, to: "text")) == "not-a-model")
    #expect(code(try folder.write([0x1f, 0x8b, 8, 0], to: "cut.gz")) == "truncated-archive")
    let list = BinaryPlistWriter.write(.dictionary([.init("a", .integer(1))]))
    #expect(code(try folder.write(list, to: "list.mom")) == "not-a-model")
  }

  @Test func aStoreWithoutItsModelIsRefused() throws {
    for damage in [Damage.missingModelCache, .missingModelCacheTable] {
      let sample = try SampleCopy()
      try damage.apply(to: sample.path)
      #expect(errorCode { _ = try ModelLoader.model(from: sample.path) } == "not-a-model")
      // To be shown it is inferred, from an archive as from the store.
      let shown = try ModelLoader.loadOrInfer(from: sample.path)
      #expect(shown.model == (try PersistentStore(readingFrom: sample.path).model))
      let archive = sample.folder.file("model.bin")
      try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
      #expect(try ModelLoader.loadOrInfer(from: archive).model == shown.model)
    }
    let sample = try SampleCopy()
    try Damage.cutModelCache.apply(to: sample.path)
    #expect(errorCode { _ = try ModelLoader.model(from: sample.path) } == "damaged-model")
  }

  private static func folder(_ name: String) -> String? {
    guard let root = RealStores.folder else { return nil }
    return FileManager.default.subpaths(atPath: root)?.first { $0.hasSuffix(name) }
      .map { "\(root)/\($0)" }
  }
}
