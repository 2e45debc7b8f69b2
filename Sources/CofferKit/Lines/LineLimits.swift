/// The sizes at which values leave their line.
///
/// They are part of the format only in so far as the same store must always give the same bytes.
enum LineLimits {
  /// Binary values of this many bytes and more stand in the part's blobs.
  static let outOfLine = 1 << 10
  /// Values of more bytes than this are an entry of their own.
  static let ownEntry = 4 << 20
}
