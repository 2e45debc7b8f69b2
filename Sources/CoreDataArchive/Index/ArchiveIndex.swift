internal import CoreDataModel

/// The table of contents of an archive, its entry index.json.
package struct ArchiveIndex: Sendable, Equatable {
  /// The name of the format.
  package static let format = "coffer"
  /// The newest version of the format that this code reads, and the one that it writes.
  package static let version = 1

  /// One entry of the archive.
  package struct Entry: Sendable, Equatable {
    /// The entry's name.
    package var name: String
    /// The offset in the archive's file at which the entry's first gzip member begins.
    package var offset: Int
    /// The size of the entry's gzip members in bytes.
    package var compressedSize: Int
    /// The size of the content in bytes, without tar header and padding.
    package var size: Int
    /// The SHA-256 digest of the content.
    package var digest: ArchiveDigest
    /// The other properties of the entry.
    package var attributes: ArchiveEntryAttributes

    /// Creates a record of an entry.
    package init(
      name: String, offset: Int, compressedSize: Int, size: Int, digest: ArchiveDigest,
      attributes: ArchiveEntryAttributes
    ) {
      self.name = name
      self.offset = offset
      self.compressedSize = compressedSize
      self.size = size
      self.digest = digest
      self.attributes = attributes
    }
  }

  /// The entries in the order of the archive, without index.json.
  package private(set) var entries: [Entry]
  /// The digest over all names and digests, the same for every order and every compressor.
  package private(set) var rootDigest: ArchiveDigest
  private let positions: [ExactString: Int]

  /// Creates the index of some entries.
  ///
  /// - Returns: nil where two entries have one name.
  package init?(entries: [Entry]) {
    var positions = [ExactString: Int](minimumCapacity: entries.count)
    for (position, entry) in entries.enumerated() {
      guard positions.updateValue(position, forKey: ExactString(entry.name)) == nil else {
        return nil
      }
    }
    self.entries = entries
    self.positions = positions
    rootDigest = ArchiveDigest.root(of: entries)
  }

  /// The entry with a name, or nil if there is none.
  package subscript(name: String) -> Entry? {
    positions[name].map { entries[$0] }
  }
}
