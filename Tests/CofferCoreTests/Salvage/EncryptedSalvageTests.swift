internal import CofferKit
internal import CoreDataArchive
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Damaged encrypted archives that are salvaged: genuine data counts, up to the damage.
@Suite struct EncryptedSalvageTests {
  private static let key =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"

  private let folder: TemporaryDirectory
  private let sample: SampleCopy
  private let identities: [ArchiveIdentity]

  init() throws {
    folder = try TemporaryDirectory()
    sample = try SampleCopy()
    // External files come last: what is damaged in the tests is this one and the index.
    var random = SeededGenerator(seed: 9)
    let file = (0..<300_000).map { _ in UInt8(random.below(256)) }
    let external = URL(
      fileURLWithPath: StorePaths(store: sample.path).supportFolder + "/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: external, withIntermediateDirectories: true)
    try Data(file).write(
      to: external.appendingPathComponent("FFFFFFFF-0000-4000-8000-000000000000"))
    identities = try ArchiveIdentity.identities(inFile: Array(Self.key.utf8))
    let encryption = try ArchiveEncryption(recipients: identities.compactMap(\.recipient))
    try StoreExporter(options: ExportOptions(level: 0, encryption: encryption)).export(
      try PersistentStore(readingFrom: sample.path), to: folder.file("Whole.age"))
  }

  private func salvage(_ bytes: some Collection<UInt8>) throws -> ImportSummary {
    let path = try folder.write(Array(bytes), to: "Damaged.age")
    var options = ImportOptions(overwriting: true)
    options.salvages = true
    options.environment.identities = identities
    return try StoreImporter(options: options).import(path, to: folder.file("Store.sqlite"))
  }

  private func whole() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("Whole.age"))))
  }

  @Test func aWholeOneIsTheSameAsWithout() throws {
    let summary = try salvage(try whole())
    #expect(summary.losses?.entryCount == 0)
    #expect(
      try StoreComparer.differences(sample.path, folder.file("Store.sqlite")) == [])
  }

  @Test func whatComesBeforeTheDamageIsRestored() throws {
    var bytes = try whole()
    bytes[bytes.count - 100] ^= 1
    let summary = try salvage(bytes)
    #expect(summary.losses?.isComplete == false)
    #expect(summary.objectCount > 0)
    #expect(summary.findings.contains { $0.code == .lostIndex })
  }

  @Test func whatWasCutOffIsLost() throws {
    let bytes = try whole()
    let summary = try salvage(bytes.prefix(bytes.count - 20_000))
    #expect(summary.losses?.isComplete == false)
    #expect(summary.objectCount > 0)
  }
}
