internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// Folders of versions of a model, compiled or sources.
@Suite struct ModelBundleTests {
  private static let source = Array(
    "<?xml version='1.0'?><model><entity name='A'/></model>".utf8)

  private func write(
    _ folder: TemporaryDirectory, versions: [String], current: String? = nil
  ) throws -> String {
    for version in versions {
      try FileManager.default.createDirectory(
        atPath: folder.file("M.xcdatamodeld/\(version).xcdatamodel"),
        withIntermediateDirectories: true)
      _ = try folder.write(Self.source, to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    if let current {
      let list =
        "<?xml version='1.0'?><plist><dict><key>_XCCurrentVersionName</key>"
        + "<string>\(current).xcdatamodel</string></dict></plist>"
      _ = try folder.write(Array(list.utf8), to: "M.xcdatamodeld/.xccurrentversion")
    }
    return folder.file("M.xcdatamodeld")
  }

  @Test func versionsStandInTheOrderInWhichPeopleCount() throws {
    let folder = try TemporaryDirectory()
    let path = try write(folder, versions: ["M 10", "M", "M 2"], current: "M 2")
    let bundle = try #require(try ModelBundle(path: path))
    #expect(bundle.versions.map(\.name) == ["M", "M 2", "M 10"])
    #expect(bundle.currentVersionName == "M 2")
    #expect(try bundle.model().entities.map(\.name) == ["A"])
    #expect(try ModelLoader.model(from: path) == bundle.model(version: "M 10"))
  }

  @Test func theOnlyVersionIsTheCurrentOne() throws {
    let folder = try TemporaryDirectory()
    let path = try write(folder, versions: ["M"])
    #expect(try ModelBundle(path: path)?.currentVersionName == "M")
  }

  @Test func aVersionThatIsNotThereIsRefusedWithThoseThatAre() throws {
    let folder = try TemporaryDirectory()
    let path = try write(folder, versions: ["M", "M 2"])
    for version in [nil, "M 3"] {
      do {
        _ = try ModelLoader.model(from: path, version: version)
        Issue.record("it was read")
      } catch let error as CofferError {
        #expect(error.code == .notAModel)
        #expect(error.hint?.contains("M, M 2") == true)
      }
    }
  }

  @Test func aFolderOfOneSourceIsRead() throws {
    let folder = try TemporaryDirectory()
    let path = try write(folder, versions: ["M"])
    for one in [path + "/M.xcdatamodel", path + "/M.xcdatamodel/contents"] {
      #expect(try ModelLoader.model(from: one).entities.map(\.name) == ["A"])
    }
  }

  @Test func anOptimisedModelIsAnsweredWithTheOneBesideIt() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array("momv2$garbage".utf8), to: "M.omo")
    do {
      _ = try ModelLoader.model(from: path)
      Issue.record("it was read")
    } catch let error as CofferError {
      #expect(error.code == .notAModel)
      #expect(error.detail.contains("optimized"))
      #expect(error.hint != nil)
    }
    _ = try folder.write(Self.source, to: "M.mom")
    #expect(try ModelLoader.model(from: path).entities.map(\.name) == ["A"])
  }

  /// Whether a version is a source of before Xcode 4, which has no file `contents`.
  private static func isBinary(_ version: ModelBundle.Version) -> Bool {
    FileManager.default.fileExists(atPath: version.path + "/elements")
      && !FileManager.default.fileExists(atPath: version.path + "/contents")
  }

  @Test func aBinarySourceIsRefusedWithWhatToDo() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("M.xcdatamodel"), withIntermediateDirectories: false)
    _ = try folder.write(Array("bplist00".utf8), to: "M.xcdatamodel/elements")
    do {
      _ = try ModelLoader.model(from: folder.file("M.xcdatamodel"))
      Issue.record("it was read")
    } catch let error as CofferError {
      #expect(error.code == .notAModel)
      #expect(error.detail.contains("before Xcode 4"))
    }
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func everyRealBundleGivesAllItsVersions() throws {
    let root = try #require(RealStores.folder)
    let paths = (FileManager.default.subpaths(atPath: root) ?? [])
      .filter { $0.hasSuffix(".momd") || $0.hasSuffix(".xcdatamodeld") }
    #expect(paths.count >= 37)
    var versionCount = 0
    for path in paths {
      // Of some folders only the file that names the current version was kept.
      guard let bundle = try ModelBundle(path: "\(root)/\(path)") else { continue }
      versionCount += bundle.versions.count
      for version in bundle.versions where !Self.isBinary(version) {
        let model = try bundle.model(version: version.name)
        #expect(!model.entities.isEmpty, "\(version.path)")
        guard let hashes = bundle.versionHashes[Name(version.name)] else { continue }
        #expect(hashes.keys.sorted() == model.entities.map(\.name), "\(version.path)")
        #expect(hashes.values.allSatisfy { $0.bytes.count == 32 })
      }
      #expect(path.hasSuffix(".momd") != bundle.versionHashes.isEmpty, "\(path)")
    }
    #expect(versionCount >= 98)
  }
}
