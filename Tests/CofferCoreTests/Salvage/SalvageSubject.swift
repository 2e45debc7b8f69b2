internal import CofferKit
internal import CoreDataArchive
internal import Foundation
internal import LibrarySupport
internal import TestSupport

/// A small archive with an entry of every kind and tables of many parts, to be damaged and salvaged.
///
/// What must come back is told without the code that salvages: an entry whose bytes stand in the damaged file as
/// they were is whole, and the store that must come is that of an archive without the others.
struct SalvageSubject: @unchecked Sendable {
  // Unchecked: nothing changes it, and the closure in its contents is the one that changes nothing.
  /// The bytes of the undamaged archive.
  let bytes: [UInt8]
  /// Its entries, the index not among them.
  let index: ArchiveIndex
  /// The ranges of its gzip members, in order; the last is the footer.
  let members: [Range<Int>]
  /// The entries of the undamaged archive.
  let contents: ArchiveRewriter

  /// The archive, made by the first who asks; only read afterwards.
  static func whole() throws -> SalvageSubject { try made.get() }
  /// The same without a value that is too large for a part, which is most of the work to import.
  static func small() throws -> SalvageSubject { try madeSmall.get() }

  private static let made = Result { try SalvageSubject(hasLargeValue: true) }
  private static let madeSmall = Result { try SalvageSubject(hasLargeValue: false) }

  private init(hasLargeValue: Bool) throws {
    let sample = try SampleCopy()
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    var random = SeededGenerator(seed: 4)
    let picture = (0..<3000).map { _ in UInt8(random.below(256)) }
    try database.run("UPDATE ZPERSONENTITY SET ZAVATAR = ? WHERE Z_PK = 2", [.blob(picture)])
    if hasLargeValue {
      let large = picture + [UInt8](repeating: 0, count: (4 << 20) + 1 - picture.count)
      try database.run("UPDATE ZPERSONENTITY SET ZAVATAR = ? WHERE Z_PK = 3", [.blob(large)])
    }
    let folder = try TemporaryDirectory()
    let path = folder.file("Whole.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: path)
    var archive = try ArchiveRewriter(path)
    for name in archive.entries.map(\.name) where Self.canBeSplit(name, archive) {
      try Self.split(name, &archive)
    }
    try archive.write(to: path)
    contents = try ArchiveRewriter(path)
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    index = try ArchiveFile(path: path).index
    members = Self.members(bytes)
  }

  /// Whether the lines of an entry can be divided without a change: no values belong to them.
  private static func canBeSplit(_ name: String, _ archive: ArchiveRewriter) -> Bool {
    let stem = name.dropLast(7)
    return name.hasSuffix("/00000.ndjson") && !name.hasPrefix("store/")
      && !archive.entries.contains { $0.name != name && $0.name.hasPrefix("\(stem).") }
  }

  /// Makes parts of two lines.
  private static func split(_ name: String, _ archive: inout ArchiveRewriter) throws {
    let position = try archive.position(of: name)
    let lines = archive.entries[position].text.split(separator: "\n")
    for start in stride(from: 2, to: lines.count, by: 2).reversed() {
      let part = name.dropLast(12) + ArchiveEntryName.part(start / 2) + ".ndjson"
      let text = lines[start..<min(start + 2, lines.count)].map { "\($0)\n" }.joined()
      try archive.insert(ArchiveRewriter.Entry(String(part), text: text), at: position + 1)
    }
    archive.entries[position].text = lines.prefix(2).map { "\($0)\n" }.joined()
  }

  private static func members(_ bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start + 20 <= bytes.count {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 16 + $1]) << (8 * $1) }
      guard length > 0, start + length <= bytes.count else { break }
      found.append(start..<(start + length))
      start += length
    }
    return found
  }

  /// The bytes of an entry's members in the archive.
  func range(of name: String) -> Range<Int> {
    index[name].map { $0.offset..<$0.offset + $0.compressedSize } ?? 0..<0
  }

  /// The ranges of the members of an entry.
  func members(of name: String) -> [Range<Int>] {
    members.filter { range(of: name).contains($0.lowerBound) }
  }

  /// Where index.json begins.
  var indexOffset: Int { (index.entries.last.map { $0.offset + $0.compressedSize }) ?? 0 }

  /// The names of the entries whose bytes do not stand in a damaged archive as they were.
  func lost(in damaged: [UInt8]) -> Set<String> {
    let data = Data(damaged)
    return Set(
      index.entries.filter { entry in
        let place = entry.offset..<entry.offset + entry.compressedSize
        let wanted = Data(bytes[place])
        // Most entries are at their old positions.
        if place.upperBound <= damaged.count, data[place] == wanted { return false }
        return data.range(of: wanted) == nil
      }.map(\.name))
  }

  /// Whether index.json came whole.
  func hasIndex(_ damaged: [UInt8]) -> Bool {
    let end = members.last?.lowerBound ?? 0
    return Data(damaged).range(of: Data(bytes[indexOffset..<end])) != nil
  }
}
