internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import Testing

@testable import TestSupport

/// The files that a compaction keeps because a reference that leads nowhere may mean them.
@Suite struct KeptFilesTests {
  private let directory: TemporaryDirectory
  private let store: String
  private let folder: String

  private static let file = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"
  private static let orphan = "AAAAAAAA-0000-4000-8000-000000000001"

  /// The sample store, with a file that nothing refers to.
  init() throws {
    directory = try TemporaryDirectory()
    store = directory.file("Store.sqlite")
    try SampleStore.write(to: store)
    folder = StoreFiles(store).externalDataFolder
    try Data(repeating: 7, count: 3000).write(to: url(Self.orphan))
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

  private func setContent(_ value: String, after statement: String = "") throws {
    let database = try GeneratorDatabase(path: store)
    try database.registerCoreDataFunctions()
    try database.run("\(statement); UPDATE ZATTACHMENTENTITY SET \(value) WHERE Z_PK = 4")
  }

  /// A compaction that keeps everything.
  private func expectAllKept(_ fileCount: Int, _ referenceCount: Int) throws {
    let files = try SupportFiles(of: store).files
    let summary = try StoreCompactor().compact(store, at: directory.file("Compact.sqlite"))
    #expect(summary.plan.orphanedFileCount == nil && summary.plan.orphanedByteCount == 0)
    #expect(summary.plan.keptFileCount == fileCount)
    #expect(summary.plan.brokenReferenceCount == referenceCount)
    #expect(try SupportFiles(of: directory.file("Compact.sqlite")).files == files)
    #expect(try StoreCompactor().plan(store).wonByteCount == summary.plan.freeByteCount)
  }

  @Test(arguments: [
    "CAST(substr(ZCONTENT, 1, 37) AS BLOB)", "CAST(ZCONTENT AS TEXT)", "x''", "5",
    "CAST(x'02' || lower(CAST(substr(ZCONTENT, 2, 36) AS TEXT)) || x'00' AS BLOB)",
    "CAST(x'03' || substr(ZCONTENT, 2) AS BLOB)",
  ])
  func theFileOfADefectiveReferenceStays(_ value: String) throws {
    try setContent("ZCONTENT = \(value)")
    try expectAllKept(2, 1)
  }

  @Test func theFileOfAReferenceStaysInASubfolder() throws {
    try FileManager.default.createDirectory(at: url("old"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(at: url(Self.file), to: url("old/\(Self.file)"))
    try expectAllKept(1, 1)
  }

  @Test func aFileThatCoreDataDidNotNameIsNoOrphan() throws {
    try FileManager.default.createDirectory(at: url("old"), withIntermediateDirectories: false)
    try Data([1]).write(to: url("old/\(Self.orphan)"))
    try Data([2]).write(to: url(Self.file.lowercased()))
    #expect(try StoreCompactor().compact(store).plan.orphanedFileCount == 1)
    let left = try SupportFiles(folder: folder).files.keys
    #expect(left.contains("old/\(Self.orphan)") && left.contains(Self.file.lowercased()))
    #expect(!left.contains(Self.orphan))
  }

  @Test func aFileStaysWhoseNameAColumnOfTheAppHas() throws {
    try setContent(
      "ZOWN = ZCONTENT, ZCONTENT = NULL",
      after: "ALTER TABLE ZATTACHMENTENTITY ADD COLUMN ZOWN BLOB")
    let summary = try StoreCompactor().compact(store)
    #expect(summary.plan.orphanedFileCount == 1 && summary.plan.keptFileCount == 0)
    let left = StoreFiles(store).externalFileNames
    #expect(left.contains(Self.file) && !left.contains(Self.orphan))
  }

  /// Bytes without a marker are no name of a file if there are many.
  @Test func largeDataWithoutAMarkerKeepNothing() throws {
    try setContent("ZCONTENT = zeroblob(2000)")
    #expect(try StoreCompactor().plan(store).orphanedFileCount == 2)
  }
}
