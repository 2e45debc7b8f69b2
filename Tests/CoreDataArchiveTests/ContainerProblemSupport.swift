internal import CoreDataArchive
internal import TestSupport
internal import Testing

/// An archive with something wrong in it that can be gone past.
struct ProblemCase: Sendable, CustomTestStringConvertible {
  /// What is wrong.
  let name: String
  let kind: ArchiveProblem.Kind
  /// The entry that the problem is about.
  let entry: String?
  /// Whether a repacked archive has the same problem; if not, it has none.
  let isInStockTar: Bool
  let recomputed: ArchiveRewriter.Recomputed
  let change: @Sendable (inout ArchiveRewriter) throws -> Void

  init(
    _ name: String, _ kind: ArchiveProblem.Kind, _ entry: String?, isInStockTar: Bool = true,
    recomputing recomputed: ArchiveRewriter.Recomputed = .none,
    _ change: @escaping @Sendable (inout ArchiveRewriter) throws -> Void
  ) {
    self.name = name
    self.kind = kind
    self.entry = entry
    self.isInStockTar = isInStockTar
    self.recomputed = recomputed
    self.change = change
  }

  var testDescription: String { name }
}

extension ProblemCase {
  /// The entries of the archives that the cases are about.
  static let entries = [
    TestEntry("manifest.json", "{\"format\":\"coffer\"}\n"),
    TestEntry("a", "the first\n"),
    TestEntry("b", "the second, of more bytes\n"),
    TestEntry("c", ""),
    TestEntry("d", "the fourth, the longest that there is here\n"),
    TestEntry("e", "the last\n"),
  ]

  /// Writes the archive that the cases change, in a folder of its own.
  static func makeArchive() throws -> (folder: ScratchFolder, path: String) {
    let folder = try ScratchFolder()
    try writeArchive(entries, to: folder("a.tar.gz"))
    return (folder, folder("a.tar.gz"))
  }

  private static let index = "index.json"

  static let contents = [
    ProblemCase("other byte", .digestMismatch, "b") { $0.entries[2].bytes[0] = 0x58 },
    ProblemCase("more bytes", .digestMismatch, "b") { $0.entries[2].text += "and more of them\n" },
    ProblemCase("no bytes", .digestMismatch, "b") { $0.entries[2].text = "" },
    ProblemCase(
      "more bytes, all but the digest right", .digestMismatch, "b",
      recomputing: [
        .sizes, .places, .counts, .rootDigest,
      ]
    ) { $0.entries[2].text += "and more of them\n" },
    ProblemCase("other digest", .digestMismatch, "b", recomputing: .rootDigest) {
      $0.records[2].digest = $0.records[1].digest
    },
    ProblemCase("other root digest", .rootDigestMismatch, index) {
      $0.digests.root = $0.records[1].digest
    },
    ProblemCase("other content digest", .contentDigestMismatch, index) {
      $0.digests.content = $0.records[1].digest
    },
    ProblemCase(
      "other content and digest, same root digest", .rootDigestMismatch, index,
      recomputing: [.digests, .sizes, .places]
    ) { $0.entries[2].text += "x" },
  ]

  static let statements = [
    ProblemCase("other size", .indexMismatch, "b") { $0.records[2].size += 1 },
    ProblemCase("other offset", .indexMismatch, "b", isInStockTar: false) {
      $0.records[2].offset += 1
    },
    ProblemCase("other offset at the front", .indexMismatch, "manifest.json", isInStockTar: false) {
      $0.records[0].offset = 7
    },
    ProblemCase("other offsets from an entry on", .indexMismatch, "b", isInStockTar: false) {
      for position in 2..<$0.records.count { $0.records[position].offset += 9 }
    },
    ProblemCase("other compressed size", .indexMismatch, "b", isInStockTar: false) {
      $0.records[2].compressedSize -= 1
    },
    ProblemCase("other place and size", .indexMismatch, "e") {
      $0.records[5].offset = 0
      $0.records[5].compressedSize = 0
      $0.records[5].size = 0
    },
    ProblemCase("doubled record", .indexMismatch, "b", recomputing: .rootDigest) {
      $0.records.insert($0.records[2], at: 3)
    },
    ProblemCase("doubled record under the old root digest", .indexMismatch, "b") {
      $0.records.insert($0.records[2], at: 3)
    },
    ProblemCase("index that is no JSON", .unreadableIndex, index) { $0.changeIndex = { $0 + "}" } },
    ProblemCase("empty index", .unreadableIndex, index) { $0.changeIndex = { _ in "" } },
    ProblemCase("index of something else", .unreadableIndex, index) {
      $0.changeIndex = { $0.replacing("coffer", with: "coffin") }
    },
    ProblemCase("record without a size", .unreadableIndex, index) {
      $0.changeIndex = { $0.replacing("\"size\":26", with: "\"sice\":26") }
    },
    ProblemCase("footer that names another place", .footerMismatch, nil, isInStockTar: false) {
      $0.footerOffset = 0
    },
    ProblemCase("footer beyond the end", .footerMismatch, nil, isInStockTar: false) {
      $0.footerOffset = .max
    },
  ]

  static let sets = [
    ProblemCase("lost entry", .missingEntry, "b") { $0.entries.remove(at: 2) },
    ProblemCase("lost entry, places right", .missingEntry, "b", recomputing: .all) {
      $0.entries.remove(at: 2)
    },
    ProblemCase("lost last entry", .missingEntry, "e") { $0.entries.removeLast() },
    ProblemCase("lost record", .unlistedEntry, "b", recomputing: .rootDigest) {
      $0.records.remove(at: 2)
    },
    ProblemCase("added entry", .unlistedEntry, "x") {
      $0.entries.insert(ArchiveRewriter.Entry("x", text: "more"), at: 2)
    },
    ProblemCase("added entry, places right", .unlistedEntry, "x", recomputing: .all) {
      $0.entries.append(ArchiveRewriter.Entry("x", text: "more"))
    },
    ProblemCase("doubled entry", .duplicateEntry, "b") {
      $0.entries.insert($0.entries[2], at: 3)
    },
    ProblemCase("doubled entry at the end", .duplicateEntry, "b", recomputing: .all) {
      $0.entries.append($0.entries[2])
    },
    ProblemCase("doubled entry and record", .duplicateEntry, "b", recomputing: .all) {
      $0.entries.insert($0.entries[2], at: 3)
      $0.records.insert($0.records[2], at: 3)
    },
    ProblemCase("second entry of another content", .duplicateEntry, "b") {
      $0.entries.insert(ArchiveRewriter.Entry("b", text: "something else"), at: 4)
    },
    ProblemCase("doubled index", .duplicateEntry, index) {
      $0.indexPositions = [6, 6]
    },
  ]

  static let places = [
    ProblemCase("entry moved back", .misplacedEntry, "b", isInStockTar: false) {
      try $0.moveEntry("b", to: 5)
    },
    ProblemCase(
      "entry moved forward, places right", .misplacedEntry, "e", isInStockTar: false,
      recomputing: .all
    ) { try $0.moveEntry("e", to: 1) },
    ProblemCase("record moved", .misplacedEntry, "e", isInStockTar: false) {
      $0.records.insert($0.records.removeLast(), at: 2)
    },
    ProblemCase(
      "index in the middle", .misplacedEntry, index, isInStockTar: false, recomputing: .all
    ) { $0.indexPositions = [3] },
    ProblemCase(
      "index in front", .misplacedEntry, index, isInStockTar: false, recomputing: .all
    ) { $0.indexPositions = [0] },
  ]

  static let all = contents + statements + sets + places
}

/// What a reader that collects problems makes of an archive.
struct CollectedReading {
  var entries: [TestEntry] = []
  /// The positions of the entries whose names came before.
  var duplicates: [Int] = []
  let problems: [ArchiveProblem]
  let problemCount: Int
  let index: ArchiveIndex?

  init(_ source: ArchiveSource, threads: Int = 0) throws {
    let reader = try ArchiveReader(
      source, options: ArchiveReaderOptions(threads: threads, collectsProblems: true))
    while let header = try reader.next() {
      if header.isDuplicate { duplicates.append(entries.count) }
      entries.append(TestEntry(header.name, try reader.readWhole()))
    }
    problems = reader.problems
    problemCount = reader.problemCount
    index = reader.index
  }
}
