internal import CoreDataArchive
internal import DataCompression
internal import Foundation
internal import StoreGenerator
internal import TestSupport

/// Changes an archive behind its checksums.
enum ArchiveMutation {
  /// Changes a member, or the list of members.
  static func changeMembers(_ bytes: inout [UInt8], _ random: inout SeededGenerator) throws {
    var members = FuzzGzip.members(of: bytes)
    guard !members.isEmpty else { throw BrokenLaw("no members") }
    let (place, other) = (random.below(members.count), random.below(members.count))
    switch random.below(8) {
    case 0: members.remove(at: place)
    case 1: members.insert(members[place], at: other)
    case 2: members.swapAt(place, other)
    case 3: members[place] = try joined(members[place], members[other])
    case 4:
      // As stock tools pack: one stream, with all that is in the members.
      let plain = members.flatMap { (try? FuzzGzip.plain($0)) ?? [] }
      members = [try FuzzGzip.stream(plain)]
    default:
      var plain = try FuzzGzip.plain(members[place])
      if random.chance(0.5), (try? TarMutation.apply(to: &plain, &random)) != nil {
      } else {
        ByteMutation(words: [], other: bytes).apply(to: &plain, &random)
      }
      let format = FuzzGzip.header(of: members[place])?.format
      members[place] = try format.map { try FuzzGzip.member(plain, $0) } ?? FuzzGzip.stream(plain)
    }
    bytes = Array(members.joined())
    if random.chance(0.5) { fixFooter(&bytes, members) }
  }

  private static func joined(_ first: [UInt8], _ second: [UInt8]) throws -> [UInt8] {
    let format = FuzzGzip.header(of: first)?.format ?? .gzip
    return try FuzzGzip.member(FuzzGzip.plain(first) + FuzzGzip.plain(second), format)
  }

  /// Lets the footer name the member before it.
  private static func fixFooter(_ bytes: inout [UInt8], _ members: [[UInt8]]) {
    guard let last = members.last, members.count > 1, let header = FuzzGzip.header(of: last),
      header.isFooter
    else { return }
    let before = bytes.count - last.count - members[members.count - 2].count
    bytes.replaceSubrange(
      (bytes.count - last.count)..., with: header.format.footer(indexOffset: UInt64(before)))
  }

  /// Changes entries and records of an archive that is sound, and writes it with an index that fits,
  /// or does not fit, to the rest.
  static func changeEntries(
    _ bytes: inout [UInt8], fitting probability: Double, _ random: inout SeededGenerator
  ) throws {
    let path = try FuzzFolder.current().write(bytes, to: "mutated")
    var archive = try ArchiveRewriter(path)
    for _ in 0...random.below(3) { try change(&archive, &random) }
    let isFitting = random.chance(probability)
    let recomputed =
      isFitting ? ArchiveRewriter.Recomputed.all : .init(rawValue: random.below(32))
    if !isFitting {
      if random.chance(0.2) { archive.indexPositions = [random.below(archive.entries.count + 1)] }
      if random.chance(0.1) { archive.footerOffset = random.next() >> 40 }
    }
    try archive.write(
      to: path, recomputing: recomputed, packing: random.chance(0.2) ? .stockTar : .members)
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func change(
    _ archive: inout ArchiveRewriter, _ random: inout SeededGenerator
  ) throws {
    guard !archive.entries.isEmpty, !archive.records.isEmpty else { throw BrokenLaw("no entries") }
    let (place, other) = (
      random.below(archive.entries.count), random.below(archive.entries.count)
    )
    switch random.below(10) {
    case 0: archive.entries.swapAt(place, other)
    case 1: archive.entries.append(archive.entries[place])
    case 2: try archive.remove(archive.entries[place].name)
    case 3:
      FuzzTarget.change(&archive.records[random.below(archive.records.count)], &random)
    case 4:
      var content = Array(archive.entries[place].bytes)
      ByteMutation(words: FuzzTarget.jsonWords, other: Array(archive.entries[other].bytes))
        .apply(to: &content, &random)
      archive.entries[place].bytes = ContiguousArray(content)
    default: try changeContent(&archive.entries[place], &random)
    }
  }

  /// Changes a document, or a line of a table, by its values.
  private static func changeContent(
    _ entry: inout ArchiveRewriter.Entry, _ random: inout SeededGenerator
  ) throws {
    if entry.name.hasSuffix(".json") {
      var content = Array(entry.bytes)
      try JSONValue.mutate(&content, words: FuzzTarget.lineWords, &random)
      entry.bytes = ContiguousArray(content)
    } else if entry.name.hasSuffix(".ndjson") {
      var lines = entry.bytes.split(separator: 0x0A).map { Array($0) }
      guard !lines.isEmpty else { return }
      let place = random.below(lines.count)
      switch random.below(4) {
      case 0: lines.append(lines[place])
      case 1: lines.swapAt(place, random.below(lines.count))
      default:
        let value = try JSONValue.parse(lines[place])
        lines[place] = value.mutated(words: FuzzTarget.lineWords, &random).bytes(layout: .compact)
      }
      entry.bytes = ContiguousArray(lines.map { $0 + [0x0A] }.joined())
    } else {
      var content = Array(entry.bytes)
      ByteMutation(words: [], other: []).apply(to: &content, &random)
      entry.bytes = ContiguousArray(content)
    }
  }
}
