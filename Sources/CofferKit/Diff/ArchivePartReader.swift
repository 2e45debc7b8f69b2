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

  init(_ shape: TableShape, of archive: OpenArchive) {
    self.archive = archive
    folder = shape.folder
    parts = archive.parts(of: shape)[...]
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

  func hasValue(named name: String) -> Bool { archive.file.index["\(folder)/\(name)"] != nil }

  func digest(ofValue name: String) throws -> ArchiveDigest {
    guard let entry = archive.file.index["\(folder)/\(name)"] else {
      throw ArchiveError(.missingEntry, path: archive.path, entry: "\(folder)/\(name)", detail: "")
    }
    return entry.digest
  }
}
