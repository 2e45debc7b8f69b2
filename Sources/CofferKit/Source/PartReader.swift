internal import CoreDataArchive

/// Gives a table part by part, from a store or from an archive.
protocol PartReader: AnyObject {
  /// The lines of the current part, each with a line feed at its end.
  var lines: ContiguousArray<UInt8> { get }
  /// The values of the current part that stand out of line.
  var blobs: ContiguousArray<UInt8> { get }
  /// Whether the current part has values out of line or in entries of their own.
  var hasValuesElsewhere: Bool { get }
  /// The name of the current part, for errors.
  var place: String { get }
  /// What the lines may hold at most.
  var limits: ArchiveLimits { get }

  /// Goes on to the next part; false, and no part is current, where there is none.
  func nextPart() throws -> Bool

  /// Whether the current part has a value of that name that is an entry of its own.
  func hasValue(named name: String) -> Bool

  /// The digest of a value of the current part that is an entry of its own.
  func digest(ofValue name: String) throws -> ArchiveDigest
}

extension PartReader {
  var limits: ArchiveLimits { .standard }
}

/// A table without rows.
final class EmptyPartReader: PartReader {
  var lines: ContiguousArray<UInt8> { [] }
  var blobs: ContiguousArray<UInt8> { [] }
  var hasValuesElsewhere: Bool { false }
  var place: String { "" }

  func nextPart() -> Bool { false }

  func hasValue(named name: String) -> Bool { false }

  func digest(ofValue name: String) throws -> ArchiveDigest {
    throw ArchiveError(.missingEntry, entry: name, detail: "")
  }
}
