internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// What a table may not be: endless, or larger than the memory.
@Suite struct SheetLimitTests {
  private func failure(_ trial: SheetImportTrial) -> CofferError? {
    #expect(throws: CofferError.self) {
      try SheetImporter(options: trial.options).import(
        trial.folder.file("Tables"), to: trial.store)
    }
  }

  @Test(arguments: ["Tag.csv", "Tag.ndjson"])
  func aTableThatIsNoRegularFileIsRefused(_ name: String) throws {
    let trial = try SheetImportTrial()
    try FileManager.default.createSymbolicLink(
      atPath: trial.folder.file("Tables/\(name)"), withDestinationPath: "/dev/zero")
    let error = try #require(failure(trial))
    #expect(error.code == .invalidTable || error.code == .readFailed)
    #expect(!FileManager.default.fileExists(atPath: trial.store))
  }

  /// In time that grows with their number, not with its square.
  @Test func aRecordMayHaveManyMembers() throws {
    let trial = try SheetImportTrial()
    let members = (0..<300_000).map { "\"x\($0)\":1" }.joined(separator: ",")
    try trial.write("{\(members)}\n", to: "Tag.ndjson")
    let error = try #require(failure(trial))
    #expect(error.place.item == "line 1, column x0")
  }

  @Test(arguments: [("Tag.csv", "name\n\""), ("Tag.ndjson", "{\"name\":\"")])
  func aRecordHasALimit(_ name: String, _ start: String) throws {
    let trial = try SheetImportTrial()
    _ = try trial.folder.write(start.utf8, to: "Tables/\(name)")
    // A hole takes no room on the disk.
    let file = try #require(FileHandle(forWritingAtPath: trial.folder.file("Tables/\(name)")))
    try file.truncate(atOffset: 70 << 20)
    try file.seekToEnd()
    try file.write(contentsOf: Data((name.hasSuffix("csv") ? "\"\n" : "\"}\n").utf8))
    let error = try #require(failure(trial))
    #expect(error.code == .invalidTable)
    #expect(error.description.contains("64 MiB"), "\(error)")
  }
}
