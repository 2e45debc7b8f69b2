internal import CofferKit
internal import CoreDataArchive
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Archives that were changed or packed again, and then salvaged.
@Suite struct SalvageContentTests {
  private let subject: SalvageSubject
  private let folder: TemporaryDirectory

  init() throws {
    subject = try .whole()
    folder = try TemporaryDirectory()
  }

  private func salvage(_ archive: ArchiveRewriter, _ recomputed: ArchiveRewriter.Recomputed) throws
    -> ImportSummary
  {
    let path = folder.file("Changed.coffer.tar.gz")
    try archive.write(to: path, recomputing: recomputed)
    var options = ImportOptions(overwriting: true)
    options.salvages = true
    return try StoreImporter(options: options).import(path, to: folder.file("Store.sqlite"))
  }

  @Test func oneLineThatIsNoneCostsOneObject() throws {
    let name = "entities/ItemEntity/00001.ndjson"
    var archive = subject.contents
    try archive.changeLines(of: name) { $0[0] = String($0[0].dropLast(3)) }
    let summary = try salvage(archive, [.sizes, .places, .rootDigest])
    let lines = summary.findings.filter { $0.code == .lostLine }
    #expect(lines.count == 1 && lines[0].entityName == "ItemEntity")
    #expect(lines[0].detail.hasPrefix("\(name), line 1: "))
    #expect(summary.findings.contains { $0.code == .archiveDigestMismatch })
    #expect(summary.losses?.objectCount == 1 && summary.losses?.lineCount == 1)
    var rest = subject.contents
    try rest.changeLines(of: name) { $0.removeFirst() }
    try rest.write(to: folder.file("Rest.coffer.tar.gz"))
    try StoreImporter().import(folder.file("Rest.coffer.tar.gz"), to: folder.file("Rest.sqlite"))
    #expect(
      try StoreComparer.differences(folder.file("Rest.sqlite"), folder.file("Store.sqlite")) == [])
  }

  @Test func aDoubledLineIsReportedAndTheFirstStays() throws {
    let name = "entities/ItemEntity/00001.ndjson"
    var archive = subject.contents
    try archive.changeLines(of: name) { $0.append($0[0]) }
    let summary = try salvage(archive, .all)
    #expect(summary.findings.count { $0.code.text == "lost-line" } == 1)
    #expect(summary.losses?.lineCount == 1)
  }

  /// Only lines and documents can be checked by themselves.
  @Test func aValueWithAnotherDigestIsNotBelieved() throws {
    let name = "entities/PersonEntity/00000.blobs"
    var archive = subject.contents
    let position = try archive.position(of: name)
    archive.entries[position].bytes[100] ^= 1
    let summary = try salvage(archive, [.places])
    #expect(summary.findings.contains { $0.code == .lostEntry && $0.detail == name })
    #expect(
      summary.findings.filter { $0.code == .lostEntryValue }.map(\.place) == [
        "PersonEntity/p2.avatar"
      ])
  }

  @Test func administrationIsMadeAnewWithoutFindings() throws {
    for kind in ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"] {
      var archive = subject.contents
      for name in archive.entries.map(\.name) where name.hasPrefix("store/\(kind)/") {
        let position = try archive.position(of: name)
        archive.entries.remove(at: position)
      }
      let summary = try salvage(archive, [.places, .rootDigest])
      #expect(summary.findings.contains { $0.code == .rebuiltTable } == (kind != "Z_MODELCACHE"))
      #expect(
        summary.storeUUID == "6B0B4A5C-6C0F-4B7C-9B9E-4D7C0A3D1E55" || summary.storeUUID != nil)
      let found = try Verification(of: folder.file("Store.sqlite")).findings
      // The sample itself has none; without a copy of the model there is less to check.
      #expect(found.filter { $0.severity == .error }.map(\.description) == [], "\(kind)")
    }
  }

  @Test func aRepackedArchiveGivesWhatIsWhole() throws {
    let path = folder.file("Repacked.tar.gz")
    try subject.contents.write(to: path, packing: .storedTar)
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for name in [
      "entities/ItemEntity/00001.ndjson", "external/", "entities/PersonEntity/00000.blobs",
      "system/ACHANGE/00000.ndjson",
    ] {
      let entry = try #require(subject.contents.entries.first { $0.name.hasPrefix(name) })
      let place = try #require(
        Data(whole).range(of: Data(entry.bytes.prefix(60))), "\(entry.name) is in one piece")
      // Its content, or the name in its header, which its checksum covers.
      for offset in [place.lowerBound + 20, place.lowerBound - 512 + 3] {
        var bytes = whole
        bytes[offset] ^= 0x04
        let trial = SalvageTrial(subject, bytes, .file, lost: [entry.name], hasIndex: true)
        #expect(try trial.faults() == [], "\(entry.name), byte \(offset)")
      }
      // Cut off in it: everything before came. The tar ends with the index.
      let position = try subject.contents.position(of: entry.name)
      let lost = Set(subject.contents.entries[position...].map(\.name))
      let cut = Array(whole.prefix(place.lowerBound + 30))
      let trial = SalvageTrial(subject, cut, .pipe, lost: lost, hasIndex: false)
      #expect(try trial.faults() == [], "cut off in \(entry.name)")
    }
  }

  @Test func anUndamagedRepackedArchiveGivesTheSameStore() throws {
    let path = folder.file("Repacked.tar.gz")
    try subject.contents.write(to: path, packing: .stockTar)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for way in SalvageTrial.Way.allCases {
      #expect(try SalvageTrial(subject, bytes, way, lost: [], hasIndex: true).faults() == [])
    }
  }

  /// What an archive inside of this one has is no part of this one.
  @Test func anArchiveInAnArchiveStaysContent() throws {
    let inner = subject.bytes
    var archive = subject.contents
    let file = try #require(archive.entries.firstIndex { $0.name.hasPrefix("external/") })
    archive.entries[file].bytes = ContiguousArray(inner)
    let name = archive.entries[file].name
    let path = folder.file("Outer.coffer.tar.gz")
    try archive.write(to: path)
    let outer = try ArchiveFile(path: path).index
    let place = try #require(outer[name])
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for offset in [0, 17, 30, place.compressedSize / 2, place.compressedSize - 3] {
      var bytes = whole
      bytes[place.offset + offset] ^= 0x11
      let damaged = try folder.write(bytes, to: "Damaged.coffer.tar.gz")
      var options = ImportOptions(overwriting: true)
      options.salvages = true
      let summary = try StoreImporter(options: options).import(
        damaged, to: folder.file("Store.sqlite"))
      let lost = summary.findings.filter { $0.code == .lostEntry }
      #expect(lost.map(\.detail) == [name], "byte \(offset)")
      #expect(summary.losses?.objectCount == 0)
      // Cut off in it, nothing of the inner archive may come either.
      _ = try folder.write(whole.prefix(place.offset + offset + 1), to: "Damaged.coffer.tar.gz")
      let cut = try StoreImporter(options: options).import(damaged, to: folder.file("Store.sqlite"))
      #expect(cut.objectCount == summary.objectCount, "cut off at byte \(offset)")
    }
  }

  @Test func strictAndSalvageExcludeEachOther() throws {
    var options = ImportOptions(isStrict: true)
    options.salvages = true
    let archive = try folder.write(subject.bytes, to: "Whole.coffer.tar.gz")
    let code = errorCode {
      try StoreImporter(options: options).import(archive, to: folder.file("Store.sqlite"))
    }
    #expect(code == "incompatible-choices")
  }
}
