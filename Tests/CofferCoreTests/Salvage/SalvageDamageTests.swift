internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// All undamaged parts of a damaged archive are restored, and the losses are reported exactly.
@Suite struct SalvageDamageTests {
  private let subject: SalvageSubject

  init() throws { subject = try .whole() }

  @Test(arguments: SalvageTrial.Way.allCases)
  func anUndamagedArchiveGivesTheSameStore(_ way: SalvageTrial.Way) throws {
    let trial = SalvageTrial(subject, subject.bytes, way)
    #expect(trial.lost == [] && trial.hasIndex)
    #expect(try trial.faults() == [])
    let folder = try TemporaryDirectory()
    let archive = try folder.write(subject.bytes, to: "Whole.coffer.tar.gz")
    let plain = try StoreImporter().import(archive, to: folder.file("Plain.sqlite"))
    let salvaged = try trial.salvage(archive, to: folder.file("Salvaged.sqlite"))
    #expect(salvaged.findings == plain.findings)
    #expect(salvaged.losses == ImportSummary.Losses())
    #expect(salvaged.digest == plain.digest)
  }

  @Test(arguments: SalvageTrial.Way.allCases)
  func aFlippedByteInAnEntryCostsThatEntry(_ way: SalvageTrial.Way) throws {
    // Every entry without the large value, and those of its table with it.
    let small = try SalvageSubject.small()
    let tried =
      small.index.entries.map { (small, $0) }
      + subject.index.entries.filter { $0.name.contains("PersonEntity") }.map { (subject, $0) }
    #expect(tried.count > small.index.entries.count + 2)
    for (number, (subject, entry)) in tried.enumerated() {
      // Every entry from a file; a pipe makes a difference to the container alone.
      if way == .pipe, number % 7 != 0 { continue }
      var bytes = subject.bytes
      bytes[entry.offset + entry.compressedSize / 2] ^= 0x10
      let trial = SalvageTrial(subject, bytes, way)
      #expect(trial.lost == [entry.name])
      #expect(try trial.faults() == [], "\(entry.name)")
    }
  }

  @Test func everyMemberOfALargeValueMatters() throws {
    let name = "entities/PersonEntity/00000.value-0"
    let value = try #require(subject.index[name])
    let members = subject.members(of: value.name)
    #expect(members.count > 3)
    for member in [members.first, members[members.count / 2], members.last].compactMap(\.self) {
      for place in [member.lowerBound + 1, member.lowerBound + 17, member.upperBound - 2] {
        var bytes = subject.bytes
        bytes[place] ^= 0x21
        let trial = SalvageTrial(subject, bytes, .file)
        #expect(trial.lost == [value.name])
        #expect(try trial.faults() == [], "byte \(place) of \(member)")
      }
      // The member is gone, or there twice: the chain of members looks sound. The first or the last
      // twice leaves the entry as it was.
      for replacement in [[], Array(subject.bytes[member] + subject.bytes[member])] {
        var bytes = subject.bytes
        bytes.replaceSubrange(member, with: replacement)
        let trial = SalvageTrial(subject, bytes, .file)
        #expect(trial.lost.isSubset(of: [value.name]))
        #expect(try trial.faults() == [], "\(replacement.count) bytes for \(member)")
      }
    }
  }

  @Test(arguments: SalvageTrial.Way.allCases)
  func whatCameBeforeACutComesBack(_ way: SalvageTrial.Way) throws {
    let small = try SalvageSubject.small()
    let step = way == .file ? 5 : 23
    let tried =
      small.index.entries.enumerated().filter { $0.offset % step == 0 }.map { (small, $0.element) }
      + subject.index.entries.filter { $0.name.hasSuffix(".value-0") }.map { (subject, $0) }
    for (subject, entry) in tried {
      for cut in [entry.offset, entry.offset + 19, entry.offset + entry.compressedSize - 1] {
        let trial = SalvageTrial(subject, Array(subject.bytes.prefix(cut)), way)
        #expect(!trial.hasIndex)
        #expect(try trial.faults() == [], "cut off at byte \(cut), in \(entry.name)")
      }
    }
  }

  @Test func aDamagedFooterCostsNothing() throws {
    for cut in [1, 21, 41, 42] {
      let trial = SalvageTrial(subject, Array(subject.bytes.dropLast(cut)), .file)
      #expect(trial.lost == [] && trial.hasIndex)
      #expect(try trial.faults() == [], "without the last \(cut) bytes")
    }
    let trial = SalvageTrial(subject, subject.bytes + Array("behind".utf8), .file)
    #expect(try trial.faults() == [])
  }

  @Test(arguments: SalvageTrial.Way.allCases)
  func withoutAnIndexEverythingComesAndTheExtentIsUnknown(_ way: SalvageTrial.Way) throws {
    var bytes = subject.bytes
    bytes[subject.indexOffset + 100] ^= 1
    let trial = SalvageTrial(subject, bytes, way)
    #expect(trial.lost == [] && !trial.hasIndex)
    #expect(try trial.faults() == [])
  }

  @Test func withoutAnIndexAGapInThePartsIsReported() throws {
    let name = "entities/ItemEntity/00001.ndjson"
    let gone = subject.range(of: name)
    var bytes = Array(subject.bytes.prefix(subject.indexOffset))
    bytes.removeSubrange(gone)
    let folder = try TemporaryDirectory()
    let archive = try folder.write(bytes, to: "Damaged.coffer.tar.gz")
    let trial = SalvageTrial(subject, bytes, .file)
    let summary = try trial.salvage(archive, to: folder.file("Store.sqlite"))
    let lost = summary.findings.filter { $0.code == .lostEntry }
    #expect(lost.map(\.detail) == [name] && lost.first?.entityName == "ItemEntity")
    #expect(summary.findings.first?.code == .lostIndex)
    #expect(try trial.faults() == [])
  }

  @Test(arguments: [false, true])
  func movedAndDoubledBytesLoseNothingThatIsWhole(_ isWithoutIndex: Bool) throws {
    let entries = subject.index.entries
    let end = isWithoutIndex ? subject.indexOffset : subject.bytes.count
    let whole = Array(subject.bytes.prefix(end))
    let (first, second) = (entries[12], entries[30])
    let (one, other) = (subject.range(of: first.name), subject.range(of: second.name))
    var swapped = whole
    swapped.replaceSubrange(other, with: whole[one])
    swapped.replaceSubrange(one, with: whole[other])
    var doubled = whole
    doubled.insert(contentsOf: whole[one], at: other.lowerBound)
    var inserted = whole
    inserted.insert(contentsOf: Array("five!".utf8), at: other.lowerBound)
    var withHole = whole
    for place in one.lowerBound + 5..<other.lowerBound + 7 { withHole[place] = 0 }
    for (what, bytes) in [
      ("swapped", swapped), ("doubled", doubled), ("inserted", inserted), ("a hole", withHole),
    ] {
      let trial = SalvageTrial(subject, bytes, .file)
      #expect((trial.lost == []) == (what != "a hole"))
      #expect(trial.hasIndex != isWithoutIndex)
      #expect(try trial.faults() == [], "\(what)")
    }
  }
}
