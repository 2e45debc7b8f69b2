internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import StoreGenerator

extension FuzzTarget {
  private static let indexWords =
    jsonWords + [
      "\"entries\":[", "\"sha256\":", "\"offset\":", "\"compressed\":", "\"size\":", "\"name\":",
      "\"objects\":{", "\"rows\":", "\"first\":", "\"last\":", "\"digest\":", "\"content\":",
      "\"version\":",
      "\"format\":\"coffer\"", "entities/A/00000.ndjson", "../", "/", "index.json",
    ]

  /// The table of contents of an archive.
  static let index = FuzzTarget(
    "index", "index.json; what is read is written, and reads the same", words: indexWords,
    seeds: {
      [
        Array(ArchiveIndex(entries: [])?.encoded ?? []),
        Array(ArchiveIndex(entries: records)?.encoded ?? []),
      ]
    },
    change: { bytes, random in
      if random.chance(0.5) {
        try JSONValue.mutate(&bytes, words: indexWords, &random)
      } else {
        // With digests that fit, so that the other rules are reached.
        let index = try ArchiveIndex.decode(ContiguousArray(bytes))
        var entries = index.entries
        for _ in 0...random.below(2) where !entries.isEmpty {
          change(&entries[random.below(entries.count)], &random)
        }
        if random.chance(0.2), let last = entries.last { entries.append(last) }
        bytes = Array(
          ArchiveIndex.encode(entries, IndexDigests(of: entries)))
      }
    }
  ) { input in
    let index = try ArchiveIndex.decode(ContiguousArray(input))
    let text = index.encoded
    guard let again = try? ArchiveIndex.decode(text) else {
      throw BrokenLaw("an index that was written is refused")
    }
    try hold(again == index, "an index reads otherwise when it is written")
    try hold(
      index.entries.allSatisfy { index[$0.name] == $0 }, "an entry that is not found by its name")
  }

  /// Changes a record of an index.
  static func change(_ record: inout ArchiveIndex.Entry, _ random: inout SeededGenerator) {
    let number = ByteMutation.numbers[random.below(ByteMutation.numbers.count)]
    switch random.below(9) {
    case 0: record.offset = Int(number)
    case 1: record.size = Int(number)
    case 2: record.compressedSize = Int(number)
    case 3: record.attributes.rows = random.chance(0.3) ? nil : Int(number)
    case 4: record.attributes.firstKey = number
    case 5: record.attributes.lastKey = number
    case 6: record.attributes.objects.append((random.chance(0.5) ? "A" : "\u{0}", Int(number)))
    case 7:
      let names = [
        "", "/", "../x", "a//b", "entities/A/00001.ndjson", "index.json", "e\u{301}", "a/./b",
        "\u{0}",
        String(repeating: "x", count: 1025), "entities/", "store/layout.json", "._a", "C:\\x",
      ]
      record.name = names[random.below(names.count)]
    default: record.name += "x"
    }
  }

  private static var records: [ArchiveIndex.Entry] {
    guard let digest = ArchiveDigest(hex: String(repeating: "0a", count: 32)) else { return [] }
    return [
      .init(
        name: "manifest.json", offset: 0, compressedSize: 100, size: 20, digest: digest,
        attributes: .init()),
      .init(
        name: "entities/A/00000.ndjson", offset: 100, compressedSize: 50, size: 900, digest: digest,
        attributes: .init(objects: [("A", 3), ("B", 0)], firstKey: -1, lastKey: .max)),
      .init(
        name: "system/X/00000.ndjson", offset: 150, compressedSize: 5, size: 0, digest: digest,
        attributes: .init(rows: 7)),
    ]
  }
}
