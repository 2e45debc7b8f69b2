/// Checks the places that an index gives, record by record, so that one wrong number is one mistake.
///
/// A place is right if the entry is there, or if it is where the preceding records end: then it was
/// right when the index was written, and something before it was lost, added or changed.
struct PlaceCheck {
  /// The possible beginning of the next record in the archive file.
  private var starts = [0]

  /// Takes the next record of the index.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - entry: the entry with its name, or nil if there is none.
  /// - Returns: whether the offset and the compressed size of the record can be believed.
  mutating func accepts(_ record: ArchiveIndex.Entry, _ entry: ArchiveIndex.Entry?) -> Bool {
    let fits = starts.contains(record.offset) || record.offset == entry?.offset
    let begins = fits ? [record.offset] : [record.offset] + starts.prefix(1)
    var sizes = [record.compressedSize]
    if let entry, entry.compressedSize != record.compressedSize {
      sizes.append(entry.compressedSize)
    }
    starts = begins.flatMap { begin in sizes.map { begin &+ $0 } }
    return fits && sizes.count == 1
  }
}
