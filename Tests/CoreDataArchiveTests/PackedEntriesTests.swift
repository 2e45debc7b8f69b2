internal import CoreDataModel
internal import Testing

@testable internal import CoreDataArchive

/// Packed records are what they were.
@Suite struct PackedEntriesTests {
  private static let entries: [ArchiveIndex.Entry] = {
    var entries: [ArchiveIndex.Entry] = []
    let keys: [Int64?] = [nil, .min, -64, -1, 0, 1, 63, 64, 127, 128, .max]
    for (number, key) in keys.enumerated() {
      let attributes = ArchiveEntryAttributes(
        objects: (0..<number % 4).map { ("Entity\($0)", number * 1000 + $0) },
        rows: number % 3 == 0 ? number * 77 : nil, firstKey: key,
        lastKey: keys[keys.count - 1 - number])
      entries.append(
        ArchiveIndex.Entry(
          name: number == 0 ? "" : "entities/Ä\u{308}\(number)", offset: number << (5 * number),
          compressedSize: ArchiveLimits.fileSize, size: 127 + number,
          digest: ArchiveDigest(allWords: [UInt64(number), .max, 1 << 63, 0]),
          attributes: attributes))
    }
    return entries
  }()

  @Test func recordsAreUnpackedAsTheyWere() {
    var packed = PackedEntries()
    #expect(Array(packed) == [])
    for entry in Self.entries { packed.append(entry) }
    #expect(packed.count == Self.entries.count)
    #expect(Array(packed) == Self.entries)
    #expect(zip(packed, Self.entries).allSatisfy { $0.name.utf8.elementsEqual($1.name.utf8) })
  }

  @Test func digestsCanFollow() throws {
    let later = try #require(ArchiveDigest(hex: String(repeating: "0123456789abcdef", count: 4)))
    for place in Self.entries.indices {
      var packed = PackedEntries()
      let places = Self.entries.map { packed.append($0) }
      packed.setDigest(later, at: places[place])
      var expected = Self.entries
      expected[place].digest = later
      #expect(Array(packed) == expected)
    }
  }
}
