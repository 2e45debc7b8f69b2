internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ContainerProblemTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    (folder, path) = try ProblemCase.makeArchive()
  }

  /// Writes the archive of a case and returns its entries in the order in which they stand there.
  private func write(
    _ subject: ProblemCase, packing: ArchiveRewriter.Packing = .members
  ) throws -> [TestEntry] {
    var archive = try ArchiveRewriter(path)
    try subject.change(&archive)
    try archive.write(to: path, recomputing: subject.recomputed, packing: packing)
    return archive.entries.map { TestEntry($0.name, $0.bytes) }
  }

  private func expect(_ reading: CollectedReading, shows subject: ProblemCase) {
    #expect(reading.problems.map(\.kind) == [subject.kind])
    #expect(reading.problems.map(\.entry) == [subject.entry])
    #expect(reading.problems.allSatisfy { !$0.detail.isEmpty })
    #expect(reading.problemCount == reading.problems.count)
    #expect((reading.index == nil) == (subject.kind == .unreadableIndex))
  }

  @Test(arguments: ProblemCase.all, [0, 2])
  func problemIsTheOnlyOneAndEverythingIsRead(_ subject: ProblemCase, threads: Int) throws {
    let entries = try write(subject)
    let reading = try CollectedReading(.file(path: path), threads: threads)
    expect(reading, shows: subject)
    #expect(reading.entries == entries)
    let places = try entryOffsets()
    for problem in reading.problems {
      // What did not come, or is only listed, has no place.
      guard let name = problem.entry, let offset = problem.offset else { continue }
      #expect(places[name]?.contains(offset) == true)
    }
    let hasPlace = subject.kind != .missingEntry && !subject.name.hasPrefix("doubled record")
    #expect(reading.problems.allSatisfy { ($0.offset != nil) == hasPlace })
  }

  @Test(arguments: ProblemCase.all)
  func problemEndsStrictReading(_ subject: ProblemCase) throws {
    _ = try write(subject)
    #expect(readingError(path)?.code == .damagedArchive)
  }

  @Test(arguments: ProblemCase.all)
  func problemIsFoundInAPipe(_ subject: ProblemCase) throws {
    let entries = try write(subject)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: contents(of: path))
    try pipe.fileHandleForWriting.close()
    let reading = try CollectedReading(.descriptor(pipe.fileHandleForReading.fileDescriptor))
    expect(reading, shows: subject)
    #expect(reading.entries == entries)
  }

  @Test(arguments: ProblemCase.all)
  func problemOfContentsIsFoundInARepackedArchive(_ subject: ProblemCase) throws {
    let entries = try write(subject, packing: .stockTar)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.entries.map(\.name).sorted() == entries.map(\.name).sorted())
    for entry in entries { #expect(reading.entries.contains(entry)) }
    if subject.isInStockTar {
      expect(reading, shows: subject)
      #expect(reading.problems.allSatisfy { $0.offset == nil })
      #expect(readingError(path)?.code == .damagedArchive)
    } else {
      #expect(reading.problems == [])
      #expect(readingError(path) == nil)
    }
  }

  @Test func everyKindHasACase() {
    let kinds = Set(ProblemCase.all.map(\.kind))
    #expect(kinds == Set(ArchiveProblem.Kind.allCases))
  }

  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func goodArchiveHasNoProblems(packing: ArchiveRewriter.Packing) throws {
    try ArchiveRewriter(path).write(to: path, packing: packing)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.problems == [])
    #expect(reading.entries == ProblemCase.entries)
    #expect(reading.duplicates == [])
    #expect(reading.index == (try readArchive(path).index))
  }

  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func secondEntryOfANameIsMarked(packing: ArchiveRewriter.Packing) throws {
    var archive = try ArchiveRewriter(path)
    archive.entries.append(ArchiveRewriter.Entry("b", text: "two"))
    archive.entries.append(ArchiveRewriter.Entry("b", text: "three"))
    try archive.write(to: path, packing: packing)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.duplicates == [6, 7])
    #expect(reading.entries.suffix(2) == [TestEntry("b", "two"), TestEntry("b", "three")])
    #expect(reading.problems.map(\.kind) == [.duplicateEntry, .duplicateEntry])
  }

  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func indexIsGivenAsItStands(packing: ArchiveRewriter.Packing) throws {
    var archive = try ArchiveRewriter(path)
    try archive.changeRecord(of: "b") { $0.attributes.rows = 99 }
    try archive.remove("c")
    archive.records[3].digest = archive.records[0].digest
    try archive.write(to: path, recomputing: .rootDigest, packing: packing)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.index?.entries == archive.records)
    #expect(reading.problems.map(\.entry) == ["d"])
  }

  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func indexWithoutAContentDigestHasOne(packing: ArchiveRewriter.Packing) throws {
    var archive = try ArchiveRewriter(path)
    archive.changeIndex = { $0.replacing(#/,"content":"\w+"/#, with: "") }
    try archive.write(to: path, packing: packing)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.problems == [])
    #expect(reading.index?.contentDigest == IndexDigests(of: archive.records).content)
    #expect(readingError(path) == nil)
  }

  @Test(arguments: [ArchiveRewriter.Packing.members, .stockTar])
  func renamedEntryIsMissingAndUnlisted(packing: ArchiveRewriter.Packing) throws {
    var archive = try ArchiveRewriter(path)
    archive.entries[2].name = "renamed"
    try archive.write(to: path, recomputing: .none, packing: packing)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.problems.map(\.kind) == [.missingEntry, .unlistedEntry])
    #expect(reading.problems.map(\.entry) == ["b", "renamed"])
  }

  @Test func missingIndexIsAProblem() throws {
    var archive = try ArchiveRewriter(path)
    archive.indexPositions = []
    try archive.write(to: path)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.problems.map(\.kind) == [.missingEntry])
    #expect(reading.problems.map(\.entry) == ["index.json"])
    #expect(reading.entries == ProblemCase.entries)
    #expect(readingError(path)?.code == .damagedArchive)
    try archive.write(to: path, packing: .stockTar)
    #expect(throws: CofferError.self) { try CollectedReading(.file(path: path)) }
  }

  @Test func onlyTheFirstProblemsAreKept() throws {
    var archive = try ArchiveRewriter(path)
    for number in 0..<10_050 {
      archive.records.append(ArchiveRewriter.record(of: .init("lost/\(number)", text: "")))
    }
    try archive.write(to: path)
    let reading = try CollectedReading(.file(path: path))
    #expect(reading.problems.count == 10_000)
    #expect(reading.problems.last?.entry == "lost/9999")
    #expect(reading.problemCount == 10_050)
  }

  /// The offsets of the entries, by name, as the members in the file have them.
  private func entryOffsets() throws -> [String: [Int]] {
    let archive = try contents(of: path)
    var inflater = try BlockInflater()
    var offsets: [String: [Int]] = [:]
    var start = 0
    while start + MemberFormat.gzip.footerSize < archive.count {
      let rest = ContiguousArray(archive[start...])
      let length = unsafe rest.withUnsafeBytes { bytes in
        unsafe MemberFormat.gzip.header(of: UnsafeRawBufferPointer(rebasing: bytes[..<20]))?.size
      }
      let member = ContiguousArray(rest[..<(try #require(length))])
      let size = unsafe member.withUnsafeBytes { unsafe MemberFormat.gzip.plainSize(of: $0) }
      var plain = ContiguousArray<UInt8>(repeating: 0, count: size)
      try unsafe member.withUnsafeBytes { bytes in
        try unsafe plain.withUnsafeMutableBytes { room in
          try unsafe inflater.inflateMember(bytes, filling: room)
        }
      }
      let name = String(decoding: plain.prefix { $0 != 0 }, as: UTF8.self)
      offsets[name, default: []].append(start)
      start += member.count
    }
    return offsets
  }
}
