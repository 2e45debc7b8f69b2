/// The sizes at which values leave their line.
///
/// They belong to the format only because the same store must always give the same bytes.
package enum LineLimits {
  /// Binary values of at least this many bytes are stored in the part's blobs.
  package static let outOfLine = 1 << 10
  /// Values of more than this many bytes get their own entries.
  package static let ownEntry = 4 << 20
}
