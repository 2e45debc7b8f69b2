internal import CoreDataArchive
internal import CoreDataLayout
internal import Synchronization

/// Goes through the entries of an archive after its documents, once and forward, so that it may come
/// through a pipe, and hands each to a visitor as what it is.
///
/// Which entries belong together is known here alone: the values of a part come before its lines, those
/// in entries of their own after them, the parts of a table together.
struct ArchiveWalk {
  private let reader: ArchiveReader
  private let path: String
  private let tables: [String: TableLayout]
  /// The folder of the table whose parts come.
  private var folder = ""
  private var finished: Set<String> = []
  private var blobs = PartBlobs.empty
  private var blobsStem = ""

  /// - Parameters:
  ///   - reader: the reader, after the documents.
  ///   - layout: the tables.
  ///   - path: the archive, for errors.
  init(_ reader: ArchiveReader, _ layout: LayoutDocument, path: String) {
    self.reader = reader
    self.path = path
    tables = Dictionary(layout.tables.map { ($0.folder, $0) }) { first, _ in first }
  }

  /// Goes through all entries; entries of kinds that this version does not know are passed over.
  ///
  /// - Parameters:
  ///   - first: the entry after the documents; nil where there is none.
  ///   - visitor: takes what they hold.
  /// - Throws: `CofferError` where the archive cannot be read on or exceeds a limit; what the visitor
  ///   throws; `CancellationError`.
  mutating func run(
    from first: ArchiveEntryHeader?, _ visitor: inout some ArchiveVisitor
  ) throws {
    do {
      var next = first
      while let entry = next {
        try Task<Never, Never>.checkCancellation()
        try take(entry, &visitor)
        next = try reader.next()
      }
    } catch {
      // What is wrong with what came before is told first.
      if !(error is CancellationError) { try visitor.settle() }
      throw error
    }
    try visitor.settle()
    try visitor.reportMissingValues()
  }

  private mutating func take(
    _ entry: ArchiveEntryHeader, _ visitor: inout some ArchiveVisitor
  ) throws {
    // The reader reports the second of two entries of one name; what it holds counts for nothing.
    if entry.isDuplicate { return }
    let name = PartEntryName(entry.name)
    if let name, let table = tables[name.folder] {
      if name.isLines { return try takeLines(entry, name, table, &visitor) }
      if name.isBlobs {
        try visitor.makeRoom(forBlobs: entry.size)
        blobs = PartBlobs(try reader.readWhole())
        blobsStem = name.stem
        return
      }
    }
    try visitor.settle()
    if ExternalEntryName.isFile(entry.name) {
      guard let components = ExternalEntryName.components(of: entry.name) else {
        throw CofferError(
          .damagedArchive, path: path, entry: entry.name,
          detail: "its name is not one that a file of a support folder has")
      }
      try visitor.visitFile(components, size: entry.size, reader)
    } else if entry.name == ArchiveEntryName.salvage {
      try visitor.visitSalvage(SalvageFinding.finding(try reader.readWhole()))
    } else if let (value, table) = visitor.expectedValues.take(entry.name) {
      if value.isText { try reader.requireWithin(.textSize) }
      guard entry.size == value.length else {
        return try visitor.report(
          ArchiveDefect(.wrongValueSize(value), of: table, entry: entry.name))
      }
      try visitor.visitValue(value, of: table, entry: entry.name, reader)
    }
  }

  private mutating func takeLines(
    _ entry: ArchiveEntryHeader, _ name: PartEntryName, _ table: TableLayout,
    _ visitor: inout some ArchiveVisitor
  ) throws {
    try reader.requireWithin(.partSize)
    let isFirst = folder != table.folder
    if isFirst {
      folder = table.folder
      if !finished.insert(folder).inserted {
        try visitor.report(ArchiveDefect(.scatteredParts, of: table, entry: entry.name))
      }
    }
    let part = ArchivePart(
      name: name, entry: entry, table: table, beginsTable: isFirst,
      blobs: blobsStem == name.stem ? blobs : .empty)
    blobs = .empty
    try visitor.visitLines(of: part, reader)
  }
}

/// A part of a table whose lines come.
struct ArchivePart {
  /// The name of the entry of its lines, taken apart.
  var name: PartEntryName
  /// The entry of its lines.
  var entry: ArchiveEntryHeader
  /// The table.
  var table: TableLayout
  /// Whether the part before was of another table.
  var beginsTable: Bool
  /// The values of the part that stand out of line.
  var blobs: PartBlobs
}

/// The values of a part that stand out of line, shared by the pieces of its lines.
final class PartBlobs: Sendable {
  /// None.
  static let empty = PartBlobs([])

  /// The bytes.
  let bytes: ContiguousArray<UInt8>
  /// How many of them lines have referred to, each as often as they did.
  private let used = Atomic<Int>(0)

  init(_ bytes: ContiguousArray<UInt8>) { self.bytes = bytes }

  /// How many bytes the lines that were read so far have referred to.
  var usedByteCount: Int { used.load(ordering: .relaxed) }

  /// Notes that lines have referred to so many bytes.
  func use(_ count: Int) { used.wrappingAdd(count, ordering: .relaxed) }
}
