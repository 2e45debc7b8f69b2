internal import CoreDataArchive

/// Gives a table of an archive part by part.
final class ArchivePartReader: PartReader {
  private let archive: OpenArchive
  private let folder: String
  private var parts: ArraySlice<OpenArchive.Part>
  private(set) var lines: ContiguousArray<UInt8> = []
  private(set) var blobs: ContiguousArray<UInt8> = []
  private(set) var hasValuesElsewhere = false
  private(set) var place = ""
  var limits: ArchiveLimits { archive.file.limits }

  /// - Parameters:
  ///   - shape: the table.
  ///   - archive: the archive.
  ///   - keys: the primary keys that are wanted; parts that have none of them are passed over. Nil for
  ///     all.
  init(_ shape: TableLayout, of archive: OpenArchive, keys: ClosedRange<Int64>? = nil) {
    self.archive = archive
    folder = shape.folder
    parts =
      archive.parts(of: shape).filter { part in
        guard let keys, let first = part.lines.attributes.firstKey,
          let last = part.lines.attributes.lastKey, first <= last
        else { return true }
        return keys.overlaps(first...last)
      }[...]
  }

  func nextPart() throws -> Bool {
    lines = []
    blobs = []
    guard let part = parts.popFirst() else { return false }
    place = part.lines.name
    lines = try archive.file.read(part.lines.name)
    if part.hasBlobs { blobs = try archive.file.read(part.stem + ".blobs") }
    hasValuesElsewhere = part.hasBlobs || archive.file.index[part.stem + ".value-0"] != nil
    return true
  }

  /// Hands the lines of the current part over, so that they can be decoded where they stand.
  func takeLines() -> ContiguousArray<UInt8> {
    defer { lines = [] }
    return lines
  }

  func hasValue(named name: String) -> Bool { archive.file.index["\(folder)/\(name)"] != nil }

  func digest(ofValue name: String) throws -> ArchiveDigest {
    guard let entry = archive.file.index["\(folder)/\(name)"] else {
      throw ArchiveError(.missingEntry, path: archive.path, entry: "\(folder)/\(name)", detail: "")
    }
    return entry.digest
  }
}
