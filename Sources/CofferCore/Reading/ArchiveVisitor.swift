internal import CoreDataArchive
internal import CoreDataLayout

/// Receives the content of an archive from an ``ArchiveWalk``, in the order of the archive.
///
/// When reading the lines of a part, add the values that they refer to with ``expect(_:of:)``, and
/// call ``reportMissingValues()`` before the next part.
protocol ArchiveVisitor {
  /// The values whose entries have not been read yet.
  var expectedValues: ExpectedValues { get set }
  /// The parts whose lines are decoded on another thread.
  var ahead: ParallelLineDecoder { get set }
  /// Whether taking rows failed, so that waiting rows are discarded.
  var isBroken: Bool { get }

  /// Takes the rows of the oldest part in ``ahead``.
  mutating func takeNext() throws
  /// Reads the lines of a part. The reader is at their entry.
  mutating func visitLines(of part: ArchivePart, _ reader: ArchiveReader) throws
  /// Reads a value that has its own entry. The reader is at that entry.
  mutating func visitValue(
    _ value: OutOfLineValue, of table: TableLayout, entry: String, _ reader: ArchiveReader
  ) throws
  /// Reads a file of the support folder. The reader is at its entry.
  mutating func visitFile(_ components: [String], size: Int, _ reader: ArchiveReader) throws
  /// Receives the finding that the archive was made from a damaged store.
  mutating func visitSalvage(_ finding: Finding) throws
  /// Receives a defect that does not prevent reading the rest. To stop, throw its error.
  mutating func report(_ defect: ArchiveDefect) throws
}

extension ArchiveVisitor {
  /// Finishes pending work, because the next entry is not a part of a table or cannot be read.
  mutating func settle() throws {
    while !isBroken, ahead.next != nil { try takeNext() }
  }

  /// Memory for the lines or the out-of-line values of a part, which have so many bytes, once other
  /// memory was freed; it may have to grow.
  mutating func memory(for size: Int) throws -> ContiguousArray<UInt8> {
    while !ahead.hasRoom(for: size) { try takeNext() }
    return ahead.memory(for: size)
  }

  mutating func expect(
    _ value: OutOfLineValue, of table: TableLayout, in part: PartEntryName
  ) throws {
    if let defect = expectedValues.expect(value, of: table, in: part) { try report(defect) }
  }

  /// Reports the expected values without an entry.
  mutating func reportMissingValues() throws {
    var missing = ExpectedValues()
    swap(&missing, &expectedValues)
    try missing.forEachMissing { try report($0) }
  }
}

/// The parsed name of a part's entry, such as `entities/Person/00003.ndjson`.
package struct PartEntryName: Equatable {
  /// The folder, such as `entities/Person`.
  package let folder: String
  /// The folder and the number of the part, such as `entities/Person/00003`.
  let stem: String
  /// The content of the entry: `ndjson`, `blobs`, `value-0`.
  let ending: String

  /// Whether the entry contains lines.
  package var isLines: Bool { ending == "ndjson" }
  /// Whether the entry contains out-of-line values.
  var isBlobs: Bool { ending == "blobs" }

  /// Parses a name; nil if it has no folder or no ending.
  package init?(_ name: String) {
    guard let slash = name.lastIndex(of: "/"), let dot = name.lastIndex(of: "."), slash < dot
    else { return nil }
    folder = String(name[..<slash])
    stem = String(name[..<dot])
    ending = String(name[name.index(after: dot)...])
  }
}
