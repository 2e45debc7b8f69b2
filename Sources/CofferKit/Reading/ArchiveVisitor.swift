internal import CoreDataArchive
internal import CoreDataLayout

/// Takes what an ``ArchiveWalk`` comes by, in the order of the archive.
///
/// Whoever reads the lines of a part adds to ``expectedValues`` what they refer to, with
/// ``expect(_:of:)``, and calls ``reportMissingValues()`` before those of the next part.
protocol ArchiveVisitor {
  /// The values whose entries have not come yet.
  var expectedValues: ExpectedValues { get set }

  /// Does what still waits: what comes next is no part of a table, or cannot be read.
  mutating func settle() throws
  /// Gives memory back before the values of a part that stand out of line are read.
  mutating func makeRoom(forBlobs size: Int) throws
  /// Reads the lines of a part; the reader is at their entry.
  mutating func visitLines(of part: ArchivePart, _ reader: ArchiveReader) throws
  /// Takes a value in an entry of its own, which a row refers to; the reader is at it.
  mutating func visitValue(
    _ value: PendingValue, of table: TableLayout, entry: String, _ reader: ArchiveReader
  ) throws
  /// Takes a file of the support folder; the reader is at it.
  mutating func visitFile(
    _ components: [String], size: Int, _ reader: ArchiveReader
  ) throws
  /// Takes that the archive was made of a damaged store.
  mutating func visitSalvage(_ finding: Finding) throws
  /// Takes a defect after which the archive can be read on; whoever cannot go on throws its error.
  mutating func report(_ defect: ArchiveDefect) throws
}

extension ArchiveVisitor {
  mutating func settle() throws {}
  mutating func makeRoom(forBlobs size: Int) throws {}

  /// Expects a value that a line of a part refers to.
  mutating func expect(
    _ value: PendingValue, of table: TableLayout, in part: PartEntryName
  ) throws {
    if let defect = expectedValues.expect(value, of: table, in: part.stem) { try report(defect) }
  }

  /// Reports the values that no entry came for.
  mutating func reportMissingValues() throws {
    for defect in expectedValues.takeMissing() { try report(defect) }
  }
}
