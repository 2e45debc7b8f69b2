/// The bounds of what an archive may hold, so that a hostile one cannot exhaust memory or disk.
///
/// The writer keeps them too. Sizes are in bytes.
package enum ArchiveLimits {
  /// Plain bytes of content in one gzip member, as the writer cuts it.
  package static let blockSize = 1 << 20
  /// The most plain bytes of one member that a reader accepts.
  package static let memberPlainSize = 4 << 20
  /// The most bytes of one member that a reader accepts: stored blocks and the frame add a little.
  package static let memberSize = memberPlainSize + (64 << 10)
  /// The most entries, index.json not counted.
  package static let entryCount = 1_000_000
  /// The most bytes of index.json.
  package static let indexSize = 512 << 20
  /// The most bytes of an entry's name, in UTF-8.
  package static let nameSize = 1024
  /// The most bytes of a pax header or a GNU long name.
  package static let extendedHeaderSize = 64 << 10
  /// The most headers without content (folders, pax) in a repacked archive.
  package static let extraHeaderCount = 2 * entryCount
  /// The size up to which an entry is handed out in memory unless the caller says otherwise.
  package static let inMemoryEntrySize = 64 << 20
  /// The most plain bytes of a whole archive, 16 TiB.
  package static let totalSize = 1 << 44
  /// The largest file offset or size that is believed, 2^53 - 1, so that JSON readers that round agree.
  package static let fileSize = (1 << 53) - 1
  /// How many times larger than its compressed size a repacked archive may become when unpacked.
  ///
  /// Applies beyond ``spoolFreeSize``. An archive of ours is never unpacked to disk and has no such bound.
  package static let spoolRatio = 300
  /// The plain size up to which a repacked archive may have any ratio.
  package static let spoolFreeSize = 128 << 20
  /// How deep an unknown value of index.json may nest.
  package static let indexDepth = 64
}
