internal import CoreDataModel
internal import Testing

@testable internal import CoreDataArchive

/// The index cannot ask for much more memory than the archive has bytes.
@Suite struct IndexLimitTests {
  private static func index(counting names: [String]) throws -> ContiguousArray<UInt8> {
    let entry = ArchiveIndex.Entry(
      name: "entities/A/00000.ndjson", offset: 0, compressedSize: 1, size: 1,
      digest: ContentHasher().digest,
      attributes: ArchiveEntryAttributes(objects: names.map { (Name($0), 1) }))
    return try #require(ArchiveIndex(entries: [entry])).encoded
  }

  @Test func countsOfMoreEntitiesThanAModelHasAreRefused() throws {
    var limits = ArchiveLimits.standard
    limits.entities = 2
    let enough = try Self.index(counting: ["A", "B", ""])
    #expect(try ArchiveIndex.decode(enough, limits: limits).entries.count == 1)
    let error = try #require(throws: CofferError.self) {
      try ArchiveIndex.decode(try Self.index(counting: ["A", "B", "", "C"]), limits: limits)
    }
    #expect(error.code == .archiveLimit)
    #expect(error.advice == [.raiseLimit("model")])
  }

  @Test func entitiesThatDifferInBytesAloneAreTwo() throws {
    let index = try ArchiveIndex.decode(try Self.index(counting: ["\u{e9}", "e\u{301}"]))
    let attributes = index.entries[0].attributes
    var other = attributes
    other.objects.reverse()
    #expect(attributes.objects.count == 2)
    #expect(attributes != other)
  }

  @Test func entriesBeyondTheFreeOnesNeedBytes() {
    var limits = ArchiveLimits.standard
    limits.smallEntries = 10
    limits.entryCount = 100
    #expect(limits.exceeded(byEntries: 10, before: 0) == nil)
    #expect(limits.exceeded(byEntries: 11, before: 511) == .smallEntries)
    #expect(limits.exceeded(byEntries: 11, before: 512) == nil)
    #expect(limits.exceeded(byEntries: 100, before: 90 * 512) == nil)
    #expect(limits.exceeded(byEntries: 101, before: 1 << 40) == .entryCount)
  }

  @Test func theIndexIsHardlyLargerThanTheRest() {
    var limits = ArchiveLimits.standard
    limits.indexExcess = 10
    limits.indexSize = 100
    #expect(limits.exceeded(byIndex: 10, at: 0) == nil)
    #expect(limits.exceeded(byIndex: 11, at: 0) == .indexExcess)
    #expect(limits.exceeded(byIndex: 100, at: 90) == nil)
    #expect(limits.exceeded(byIndex: 101, at: 1 << 40) == .indexSize)
  }

  @Test func readersOfManySmallEntriesNeedHigherLimits() throws {
    func needed(_ count: Int, _ size: Int) throws -> [ArchiveLimits.Name: Int] {
      let entries = (0..<count).map {
        ArchiveIndex.Entry(
          name: "support/\($0)", offset: 100 * $0, compressedSize: 100, size: 0,
          digest: ContentHasher().digest, attributes: ArchiveEntryAttributes())
      }
      return try #require(ArchiveIndex(entries: entries)).raisedLimits(size: size, at: 100 * count)
    }
    #expect(try needed(60_000, 1000) == [:])
    let raised = try needed(70_000, 25 << 20)
    #expect(raised.keys.count == 2)
    var limits = ArchiveLimits.standard
    #expect(limits.exceeded(byEntries: 70_000, before: 100 * 69_999) == .smallEntries)
    #expect(limits.exceeded(byIndex: 25 << 20, at: 7_000_000) == .indexExcess)
    for (name, value) in raised { limits[name] = value }
    #expect(limits.exceeded(byEntries: 70_000, before: 100 * 69_999) == nil)
    #expect(limits.exceeded(byIndex: 25 << 20, at: 7_000_000) == nil)
    for (name, value) in raised { limits[name] = value - 1 }
    #expect(limits.exceeded(byEntries: 70_000, before: 100 * 69_999) == .smallEntries)
    #expect(limits.exceeded(byIndex: 25 << 20, at: 7_000_000) == .indexExcess)
  }
}
