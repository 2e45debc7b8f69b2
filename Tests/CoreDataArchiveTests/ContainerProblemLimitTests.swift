internal import CoreDataArchive
internal import CoreDataModel
internal import TestSupport
internal import Testing

/// The limits that collecting problems does not change, and the problems that it must find.
@Suite struct ContainerProblemLimitTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    (folder, path) = try ProblemCase.makeArchive()
  }

  private func collectingError() -> CofferError? {
    #expect(throws: CofferError.self) { try CollectedReading(.file(path: path)) }
  }

  @Test func cutArchiveStaysAnError() throws {
    let bytes = try contents(of: path)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      try write(bytes.prefix(count), to: path)
      #expect(collectingError()?.code == .truncatedArchive, "first \(count) bytes")
    }
  }

  @Test func flippedByteStaysTheSameErrorOrIsAProblem() throws {
    let bytes = try contents(of: path)
    let footer = (bytes.count - 42)..<bytes.count
    let positions = Set(stride(from: 0, to: bytes.count, by: 3)).union(footer)
    var differing: Set<Int> = []
    for position in positions.sorted() {
      var damaged = bytes
      damaged[position] ^= 0x10
      try write(damaged, to: path)
      let strict = readingError(path)
      do {
        let reading = try CollectedReading(.file(path: path))
        #expect(reading.problems.isEmpty == (strict == nil), "byte \(position)")
        if strict != nil { differing.insert(position) }
      } catch {
        #expect(error as? CofferError == strict, "byte \(position)")
      }
    }
    // A checksum stands over everything but the place that the footer names.
    #expect(differing == Set(footer.lowerBound + 24..<footer.lowerBound + 32))
  }

  @Test func newerFormatStaysAnError() throws {
    for packing in [ArchiveRewriter.Packing.members, .stockTar] {
      var archive = try ArchiveRewriter(path)
      archive.changeIndex = { $0.replacing("\"version\":1", with: "\"version\":2") }
      try archive.write(to: folder("b"), packing: packing)
      let error = #expect(throws: CofferError.self) {
        try CollectedReading(.file(path: folder("b")))
      }
      #expect(error?.code == .newerFormat)
    }
  }

  @Test(arguments: ["/etc/passwd", "../x", "a/../b", "a\u{1}"])
  func hostileNamesStayAnError(name: String) throws {
    for packing in [ArchiveRewriter.Packing.members, .stockTar] {
      var archive = try ArchiveRewriter(path)
      archive.entries.append(ArchiveRewriter.Entry(name, text: "x"))
      try archive.write(to: folder("b"), packing: packing)
      let error = #expect(throws: CofferError.self) {
        try CollectedReading(.file(path: folder("b")))
      }
      #expect(error?.code == .damagedArchive)
    }
  }

  @Test func openingByNameIgnoresTheOption() throws {
    var archive = try ArchiveRewriter(path)
    archive.entries.append(archive.entries[1])
    try archive.write(to: path, packing: .stockTar)
    #expect(throws: CofferError.self) {
      try ArchiveFile(path: path, options: ArchiveReaderOptions(collectsProblems: true))
    }
  }

  /// Whatever is changed, problems are found exactly where strict reading finds an error.
  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func randomChangesAreFoundAsStrictReadingFindsThem(packing: ArchiveRewriter.Packing) throws {
    var random = Seeded(state: 77)
    var harmless = 0
    for round in 0..<150 {
      var archive = try ArchiveRewriter(path)
      for _ in 0...Int(random.next() % 3) { Self.change(&archive, &random) }
      let recomputed = ArchiveRewriter.Recomputed(rawValue: Int(random.next() % 32))
      try archive.write(to: folder("b"), recomputing: recomputed, packing: packing)
      let reading = try CollectedReading(.file(path: folder("b")))
      let strict = readingError(folder("b"))
      #expect(
        reading.problems.isEmpty == (strict == nil),
        "seed 77, round \(round): \(reading.problems), \(strict?.detail ?? "no error")")
      #expect(
        reading.entries.map(\.name).sorted() == archive.entries.map(\.name).sorted(),
        "seed 77, round \(round)")
      if strict == nil { harmless += 1 }
    }
    #expect((1..<100).contains(harmless))
  }

  private static func change(_ archive: inout ArchiveRewriter, _ random: inout Seeded) {
    func position(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
    guard archive.entries.count > 1, archive.records.count > 1 else { return }
    let entry = position(archive.entries.count)
    let record = position(archive.records.count)
    switch random.next() % 12 {
    case 0: archive.entries.remove(at: entry)
    case 1: archive.records.remove(at: record)
    case 2: archive.entries.insert(archive.entries[entry], at: position(archive.entries.count))
    case 3: archive.records.insert(archive.records[record], at: position(archive.records.count))
    case 4: archive.entries.swapAt(entry, position(archive.entries.count))
    case 5: archive.records.swapAt(record, position(archive.records.count))
    case 6: archive.entries[entry].text += "x"
    case 7: archive.records[record].offset += 1
    case 8: archive.records[record].compressedSize += 1
    case 9: archive.records[record].size += 1
    case 10: archive.entries[entry].name = "n\(random.next() % 3)"
    default: archive.records[record].digest = archive.digests.root
    }
  }
}
