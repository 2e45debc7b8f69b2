/// The sizes at which values leave their line, and parts end.
///
/// They are part of the format only in so far as the same store must always give the same bytes.
enum LineLimits {
  /// Binary values of this many bytes and more stand in the part's blobs.
  static let outOfLine = 1 << 10
  /// Values of more bytes than this are an entry of their own.
  static let ownEntry = 4 << 20
  /// A part ends when its lines or its blobs reach this many bytes.
  static let part = 2 << 20
}
