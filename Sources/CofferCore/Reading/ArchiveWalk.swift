internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Reads the entries of an archive after its documents, once and in order, so that the archive may
/// come from a pipe, and passes each to a visitor by its kind.
///
/// Only this type knows the order of entries: the blobs of a part precede its lines, values in
/// their own entries follow them, and the parts of a table are together.
struct ArchiveWalk {
  private let reader: ArchiveReader
  private let path: String
  private let tables: [Name: TableLayout]
  /// The folder of the table whose parts come.
  private var folder = ""
  private var finished: Set<Name> = []
  private var blobs = PartBlobs.empty
  private var blobsStem = ""

  init(_ reader: ArchiveReader, _ layout: LayoutDocument, path: String) {
    self.reader = reader
    self.path = path
    tables = Dictionary(layout.tables.map { (Name($0.folder), $0) }) { first, _ in first }
  }

  /// Reads all entries.
  ///
  /// Entries of unknown kinds are skipped.
  mutating func run(from first: ArchiveEntryHeader?, _ visitor: inout some ArchiveVisitor) throws {
    do {
      var next = first
      while let entry = next {
        try Task<Never, Never>.checkCancellation()
        try take(entry, &visitor)
        next = try reader.next()
      }
    } catch {
      // Report defects of earlier entries first.
      if !(error is CancellationError) { try visitor.settle() }
      throw error
    }
    try visitor.settle()
    try visitor.reportMissingValues()
  }

  private mutating func take(
    _ entry: ArchiveEntryHeader, _ visitor: inout some ArchiveVisitor
  ) throws {
    // The reader reports the second of two entries with the same name. Its content is ignored.
    if entry.isDuplicate { return }
    let name = PartEntryName(entry.name)
    if let name, let table = tables[Name(name.folder)] {
      if name.isLines { return try takeLines(entry, name, table, &visitor) }
      if name.isBlobs {
        var bytes = try visitor.memory(for: entry.size)
        let digest = try reader.readUnhashed(into: &bytes)
        blobs = PartBlobs(bytes, digest)
        blobsStem = name.stem
        return
      }
    } else if let name, name.isLines, reader.salvage == nil,
      ["entities/", "relationships/", "store/"].contains(where: name.folder.hasPrefix)
    {
      throw CofferError(
        .damagedArchive, path: path, entry: entry.name,
        detail: "no table of the layout has its folder")
    }
    try visitor.settle()
    if ExternalEntryName.isFile(entry.name) {
      guard let components = ExternalEntryName.components(of: entry.name) else {
        throw CofferError(
          .damagedArchive, path: path, entry: entry.name,
          detail: "this is not a valid name for an external file, at most "
            + "\(CompanionFolder.maxLevels) folders deep")
      }
      try visitor.visitFile(components, size: entry.size, reader)
    } else if entry.name == ArchiveEntryName.salvage {
      try visitor.visitSalvage(SalvageFinding.finding(try reader.readWhole()))
    } else if let name, let (value, table) = visitor.expectedValues.take(name) {
      if value.isText { try reader.requireWithin(.textSize) }
      guard entry.size == value.length else {
        return try visitor.report(
          ArchiveDefect(.wrongValueSize(value), of: table, place: name.stem))
      }
      try visitor.visitValue(value, of: table, entry: entry.name, reader)
    }
  }

  private mutating func takeLines(
    _ entry: ArchiveEntryHeader, _ name: PartEntryName, _ table: TableLayout,
    _ visitor: inout some ArchiveVisitor
  ) throws {
    try reader.requireWithin(.partSize)
    let isFirst = !folder.hasSameBytes(as: table.folder)
    if isFirst {
      folder = table.folder
      if !finished.insert(Name(folder)).inserted {
        try visitor.settle()
        try visitor.report(ArchiveDefect(.scatteredParts, of: table, place: entry.name))
      }
    }
    let part = ArchivePart(
      name: name, entry: entry, table: table, beginsTable: isFirst,
      blobs: blobsStem.hasSameBytes(as: name.stem) ? blobs : .empty)
    blobs = .empty
    try visitor.visitLines(of: part, reader)
  }
}

/// A part of a table.
struct ArchivePart {
  var name: PartEntryName
  var entry: ArchiveEntryHeader
  var table: TableLayout
  /// Whether the previous part belongs to another table.
  var beginsTable: Bool
  /// The out-of-line values of the part.
  var blobs: PartBlobs
}

/// The out-of-line values of a part.
struct PartBlobs: Sendable {
  static let empty = PartBlobs([])

  let bytes: ContiguousArray<UInt8>
  private let keeper: DigestKeeper?

  init(_ bytes: ContiguousArray<UInt8>, _ digest: PendingDigest? = nil) {
    self.bytes = bytes
    keeper = digest.map { DigestKeeper($0) }
  }

  /// Their digest; nil if it is known already.
  var digest: PendingDigest? { keeper?.digest }
}

/// Computes a digest at the latest when the content is no longer needed.
///
/// Until it is computed, the reader keeps the content: also of unused blobs.
private final class DigestKeeper: Sendable {
  let digest: PendingDigest

  init(_ digest: PendingDigest) { self.digest = digest }

  deinit { _ = digest.value }
}
