internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// The reader in Python, written from the specification alone, reads the archives of this program.
@Suite(.enabled(if: ProcessRunner.find("python3") != nil, "python3 is not installed"))
struct SecondReaderTests {
  private let folder: TemporaryDirectory
  private let archive: String
  private let exported: ExportSummary

  init() throws {
    folder = try TemporaryDirectory()
    let path = folder.file("Todo.sqlite")
    try SampleStore.write(to: path)
    archive = folder.file("Todo.coffer.tar.gz")
    exported = try StoreExporter().export(PersistentStore(readingFrom: path), to: archive)
  }

  @Test func itFindsTheSameDigestAndTheSameCounts() throws {
    let result = try read(archive)
    #expect(result.status == 0, "\(result.errorOutput)")
    let summary = try JSONDecoder().decode(Summary.self, from: Data(result.outputBytes))
    #expect(summary.digest == exported.digest)
    #expect(summary.content == exported.contentDigest)
    #expect(summary.objects == exported.objectCount)
    #expect(summary.entities["TagEntity"] == 7)
    #expect(summary.entities.values.reduce(0, +) == exported.objectCount)
  }

  @Test func itPrintsTheObjectsOfAnEntityAndOfThoseBelow() throws {
    #expect(try read(archive, "TodoEntity").output.split(separator: "\n").count == 5)
    #expect(try read(archive, "RecurringTodoEntity").output.split(separator: "\n").count == 1)
    #expect(try read(archive, "ItemEntity").output.split(separator: "\n").count == 9)
  }

  @Test func itReadsARepackedArchive() throws {
    let script =
      "mkdir unpacked && tar xzf Todo.coffer.tar.gz -C unpacked && tar czf again.tar.gz -C unpacked ."
    let packing = try ProcessRunner("/bin/sh", directory: folder.path).run(["-c", script])
    #expect(packing.status == 0, "\(packing.errorOutput)")
    #expect(try read(folder.file("again.tar.gz")).output == read(archive).output)
  }

  @Test func itRefusesACutAndAChangedArchive() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: archive)))
    let cut = try folder.write(bytes.dropLast(42), to: "cut.tar.gz")
    #expect(try read(cut).status == 1)
    var changed = bytes
    changed[bytes.count / 2] ^= 1
    #expect(try read(folder.write(changed, to: "changed.tar.gz")).status == 1)
  }

  @Test func itIsShort() throws {
    let lines = try Repository.text("Examples/read-archive.py").split(separator: "\n")
    #expect(lines.count < 200)
    let imports = lines.filter { $0.hasPrefix("import ") || $0.hasPrefix("from ") }
    #expect(!imports.isEmpty)
  }

  private struct Summary: Decodable {
    var digest: String
    var content: String
    var objects: Int
    var entities: [String: Int]
  }

  private func read(_ arguments: String...) throws -> ProcessResult {
    let python = try #require(ProcessRunner.find("python3"))
    let script = Repository.root.appendingPathComponent("Examples/read-archive.py").path
    return try ProcessRunner(python).run([script] + arguments)
  }
}
