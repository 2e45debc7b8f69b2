internal import DeflateCoding

/// The content of a repacked archive, in a file without a name.
///
/// Somebody unpacked the archive and packed it again with stock tools: the gzip members are not ours, and
/// the entries may have any order. The names in it are only keys here, never paths.
final class ArchiveSpool: Sendable {
  /// Where an entry's content stands in the file.
  struct Place: Sendable {
    var offset: Int
    var size: Int
  }

  let index: ArchiveIndex
  private let places: [String: Place]
  private let file: OpenFile

  /// Reads a whole repacked archive.
  ///
  /// - Parameters:
  ///   - input: the archive from its first byte.
  ///   - folder: where the content is kept.
  /// - Throws: `not-an-archive` for what is no tar or has neither manifest nor index, `truncated-archive`
  ///   for a missing index or a cut stream, `damaged-archive`, `newer-format`, `archive-limit`,
  ///   `write-failed` where the content cannot be kept.
  init(_ input: ArchiveInput, folder: String) throws(ArchiveError) {
    var writer = try SpoolWriter(input, folder: folder)
    try writer.run()
    file = writer.file
    let path = input.file.path
    let found = writer.places
    guard let place = found[EntryName.index] else {
      guard found[EntryName.manifest] != nil else {
        throw ArchiveError(
          .notAnArchive, path: path, detail: "it is a tar without manifest.json and index.json")
      }
      throw ArchiveError(.truncated, path: path, detail: "index.json is missing")
    }
    guard place.size <= ArchiveLimits.indexSize else {
      throw ArchiveError(
        .limit, path: path, entry: EntryName.index, detail: "the index is too large")
    }
    do {
      index = try ArchiveIndex.decode(try Self.content(of: place, in: writer.file))
    } catch {
      var error = error
      error.path = path
      throw error
    }
    places = found
    try Self.check(index, against: found, path: path)
  }

  /// The content of an entry of the index.
  func cursor(for entry: ArchiveIndex.Entry) -> EntryCursor? {
    places[entry.name].map {
      EntryCursor(self, name: entry.name, offset: $0.offset, size: $0.size)
    }
  }

  /// Lends bytes from the file, at most 256 KiB.
  ///
  /// - Returns: the count of bytes, at least 1.
  func read(
    at offset: Int, count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(ArchiveError) -> Int {
    var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(count, 256 << 10))
    try Self.read(file, at: offset, into: &buffer)
    unsafe buffer.lend { bytes in unsafe body(bytes) }
    return buffer.count
  }

  private static func content(
    of place: Place, in file: OpenFile
  ) throws(ArchiveError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: place.size)
    try read(file, at: place.offset, into: &bytes)
    return bytes
  }

  private static func read(
    _ file: OpenFile, at offset: Int, into bytes: inout ContiguousArray<UInt8>
  ) throws(ArchiveError) {
    let input = ArchiveInput(file, range: offset..<offset + bytes.count)
    let count = try unsafe bytes.lendMutable { room throws(ArchiveError) in
      try unsafe input.read(into: room)
    }
    guard count == bytes.count else {
      throw ArchiveError(.readFailed, path: file.path, detail: "the temporary file was cut")
    }
  }

  /// Checks that the archive holds what its index lists and nothing else.
  private static func check(
    _ index: ArchiveIndex, against places: [String: Place], path: String
  ) throws(ArchiveError) {
    for entry in index.entries {
      guard let place = places[entry.name] else {
        throw ArchiveError(
          .damaged, path: path, entry: entry.name, detail: "the index lists it, but it is missing")
      }
      guard place.size == entry.size else {
        throw ArchiveError(
          .damaged, path: path, entry: entry.name,
          detail: "it has \(place.size) bytes, the index says \(entry.size)")
      }
    }
    for name in places.keys.sorted() where name != EntryName.index && index[name] == nil {
      throw ArchiveError(
        .damaged, path: path, entry: name, detail: "the index does not list it")
    }
  }
}
