/// An entry that is intact according to its gzip members and size.
struct SalvagedEntry {
  /// Where its content is read from.
  enum Place {
    /// Its members, in the archive's file.
    case archive(OpenFile, Range<Int>)
    /// A file with the plain bytes, and the offset in it.
    case kept(SalvagedContent, offset: Int)
  }

  /// Its properties in an index; its attributes are empty.
  var entry: ArchiveIndex.Entry
  var place: Place
  /// Whether it is one gzip member, so that no piece of it can have been lost or exchanged.
  var isOnePiece: Bool
  /// The content of index.json; nil of all others.
  var indexContent: ContiguousArray<UInt8>?
}
