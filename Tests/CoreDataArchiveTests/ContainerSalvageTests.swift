internal import CoreDataArchive
internal import CoreDataModel
internal import DataCompression
internal import Foundation
internal import TestSupport
internal import Testing

/// A small archive, to be damaged.
private struct SalvageSample {
  let folder: ScratchFolder
  let entries: [TestEntry]
  let index: ArchiveIndex
  let bytes: [UInt8]

  init(_ compression: ArchiveCompression = .gzip) throws {
    folder = try ScratchFolder()
    var random = Seeded(state: 3)
    entries =
      smallEntries + [
        TestEntry("entities/Person/00001.ndjson", "{\"$pk\":2,\"$opt\":1}\n"),
        TestEntry("entities/Person/00002.ndjson", "{\"$pk\":3,\"$opt\":1}\n"),
        TestEntry("external/\(String(repeating: "long", count: 30))", random.noise(100)),
      ]
    index = try writeArchive(entries, to: folder("Whole.tgz"), compression)
    bytes = Array(try contents(of: folder("Whole.tgz")))
  }

  /// What comes of an archive.
  struct Salvaged {
    var entries: [TestEntry] = []
    var report: SalvageReport?
  }

  func salvage(_ bytes: some Sequence<UInt8>, fromPipe: Bool = false) throws -> Salvaged {
    let path = folder("Damaged.tgz")
    try write(bytes, to: path)
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let options = ArchiveReaderOptions(threads: 0, temporaryFolder: folder.path, salvages: true)
    let reader = try ArchiveReader(
      fromPipe ? .descriptor(file.fileDescriptor) : .file(path: path), options: options)
    var salvaged = Salvaged(report: reader.salvage)
    while let header = try reader.next() {
      salvaged.entries.append(TestEntry(header.name, try reader.readWhole()))
    }
    return salvaged
  }

  /// The errors in the salvaged entries, given the changed bytes.
  func fault(_ salvaged: Salvaged, touched: Range<Int>, behind end: Int) -> String? {
    let untouched = index.entries.filter {
      let place = $0.offset..<$0.offset + $0.compressedSize
      return !place.overlaps(touched) && place.upperBound <= end
    }.map(\.name)
    let names = salvaged.entries.map(\.name)
    if !Set(untouched).isSubset(of: names) { return "missing: \(untouched) of \(names)" }
    // A bit that means nothing may be changed.
    for entry in salvaged.entries where !entries.contains(entry) { return "made up: \(entry.name)" }
    let order = index.entries.map(\.name).filter(names.contains)
    // Without an index, a table's entries are still together.
    if salvaged.report?.hasIndex == true, order != names { return "order: \(names)" }
    return nil
  }
}

/// Of a small archive, damaged at every place, exactly the entries come that were not touched.
@Suite struct ContainerSalvageTests {
  @Test(arguments: [false, true], ArchiveCompression.allCases)
  func everyByteFlipped(_ fromPipe: Bool, _ compression: ArchiveCompression) throws {
    let sample = try SalvageSample(compression)
    let bytes = sample.bytes
    for place in stride(from: fromPipe ? 3 : 0, to: bytes.count, by: fromPipe ? 7 : 1) {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      let salvaged = try sample.salvage(damaged, fromPipe: fromPipe)
      let touched = place..<place + 1
      #expect(sample.fault(salvaged, touched: touched, behind: bytes.count) == nil, "byte \(place)")
      // Damage is reported, wherever it is, unless the bit means nothing.
      let isWhole = salvaged.entries == sample.entries
      let isTold = salvaged.report?.isClean == false
      #expect(isTold || isWhole, "byte \(place)")
    }
  }

  @Test(arguments: [false, true], ArchiveCompression.allCases)
  func everyByteRemovedOrAdded(_ fromPipe: Bool, _ compression: ArchiveCompression) throws {
    let sample = try SalvageSample(compression)
    let bytes = sample.bytes
    for place in stride(from: fromPipe ? 1 : 0, to: bytes.count, by: fromPipe ? 11 : 3) {
      var damaged = bytes
      damaged.remove(at: place)
      var salvaged = try sample.salvage(damaged, fromPipe: fromPipe)
      #expect(
        sample.fault(salvaged, touched: place..<place + 1, behind: .max) == nil, "without \(place)")
      damaged = bytes
      damaged.insert(0x1f, at: place)
      salvaged = try sample.salvage(damaged, fromPipe: fromPipe)
      // What is added before an entry touches neither of its neighbours.
      #expect(
        sample.fault(salvaged, touched: place..<place + 1, behind: .max) == nil, "more at \(place)")
    }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func cutAtEveryByte(_ compression: ArchiveCompression) throws {
    let sample = try SalvageSample(compression)
    let bytes = sample.bytes
    for count in bytes.indices {
      do {
        let salvaged = try sample.salvage(bytes.prefix(count))
        #expect(
          sample.fault(salvaged, touched: count..<bytes.count, behind: count) == nil,
          "\(count) bytes")
        #expect(salvaged.report?.isClean == false, "\(count) bytes")
      } catch let error as CofferError {
        // No entry is whole before the end of the first.
        #expect(count < sample.index.entries[0].compressedSize)
        #expect(
          count == 0
            ? error.code == .truncatedArchive
            : [.damagedArchive, .notAnArchive].contains(error.code))
      }
    }
  }

  @Test(arguments: ArchiveCompression.allCases)
  func anUndamagedArchiveIsClean(_ compression: ArchiveCompression) throws {
    let sample = try SalvageSample(compression)
    for fromPipe in [false, true] {
      let salvaged = try sample.salvage(sample.bytes, fromPipe: fromPipe)
      #expect(salvaged.entries == sample.entries)
      #expect(salvaged.report?.isClean == true)
    }
  }

  @Test func whatTheIndexDoesNotListDoesNotCome() throws {
    let sample = try SalvageSample()
    let folder = sample.folder
    var archive = try ArchiveRewriter(folder("Whole.tgz"))
    archive.entries.insert(
      ArchiveRewriter.Entry("entities/Person/00009.ndjson", text: "{}\n"), at: 2)
    archive.entries.append(archive.entries[1])
    try archive.write(to: folder("More.tgz"))
    let salvaged = try sample.salvage(try contents(of: folder("More.tgz")))
    #expect(salvaged.entries == sample.entries)
    #expect(salvaged.report?.lostEntries == [])
    #expect(salvaged.report?.damages.count == 2)
  }

  @Test func whatIsNoArchiveIsNone() throws {
    let sample = try SalvageSample()
    for text in ["", "no archive", String(repeating: "x", count: 100_000)] {
      let code = #expect(throws: CofferError.self) { try sample.salvage(text.utf8) }?.code
      #expect(code == (text.isEmpty ? .truncatedArchive : .notAnArchive))
    }
    #expect(try sample.folder.names.filter { $0.hasPrefix("coffer-spool") } == [])
  }

  /// A header at every place where one can be, each asking for 4 MiB that do not decompress.
  @Test(arguments: ArchiveCompression.allCases)
  func falseBeginningsCostBoundedWork(_ compression: ArchiveCompression) throws {
    let sample = try SalvageSample(compression)
    let headerSize = compression == .gzip ? 20 : 25
    let header = sample.bytes.prefix(headerSize - 4) + [0, 0, 0x10, 0]
    var many: [UInt8] = []
    for _ in 0..<100_000 { many += header }
    let start = sample.bytes.prefix(sample.index.entries[1].offset)
    let salvaged = try sample.salvage(start + many + sample.bytes)
    #expect(salvaged.entries == sample.entries)
    #expect(salvaged.report?.hasIndex == true)
  }
}

extension SalvageReport {
  fileprivate var isClean: Bool {
    hasIndex && lostEntries.isEmpty && alteredEntries.isEmpty && damages.isEmpty
  }
}
