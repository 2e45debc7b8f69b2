internal import CoreDataArchive
internal import DataCompression
internal import Foundation

extension ArchiveRewriter {
  /// The packing of the entries.
  package enum Packing: Sendable {
    /// As an archive is written.
    case members
    /// As stock tools pack it: a tar in a gzip stream without places and footer.
    case stockTar
    /// The same in a zstd stream.
    case stockZstd
    /// The same in a gzip stream without compression, so that each byte of the tar has a place of its own.
    case storedTar
  }

  /// Writes the archive to a file, which may be the one that it was read from.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - recomputed: what of the index is brought up to date first; the lists here stay as they are.
  ///   - packing: how the entries are packed.
  /// - Throws: the file system's error.
  package func write(
    to path: String, recomputing recomputed: Recomputed = .all, packing: Packing = .members
  ) throws {
    let bytes =
      switch packing {
      case .members: try archive(recomputed)
      case .stockTar: try HandMadeTar.gzip(stockTar(recomputed))
      case .stockZstd: try HandMadeTar.zstd(stockTar(recomputed))
      case .storedTar: try HandMadeTar.gzip(stockTar(recomputed), level: 0)
      }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The positions of index.json, each by the number of entries before it.
  private var indexPlaces: [Int] { (indexPositions ?? [entries.count]).sorted() }

  private func archive(_ recomputed: Recomputed) throws -> ContiguousArray<UInt8> {
    let contents = try entries.map { try Self.members($0) }
    // An index in front of entries moves them, and says where they are: both are tried until they agree,
    // after a while with spaces behind it, which change its size in the archive.
    var index = ContiguousArray<UInt8>()
    for attempt in 0..<200 {
      let places = places(of: contents.map(\.count), indexSize: index.count)
      let content = indexContent(places, recomputed) + repeatElement(0x20, count: attempt / 20)
      let next = try Self.members(
        Entry(ArchiveEntryName.index, content), trailing: 2 * TarHeader.blockSize)
      let isStable = next.count == index.count
      index = next
      if isStable { break }
    }
    var output = ContiguousArray<UInt8>()
    var indexOffset = 0
    for position in 0...entries.count {
      for _ in indexPlaces.filter({ $0 == position }) {
        indexOffset = output.count
        output += index
      }
      if position < entries.count { output += contents[position] }
    }
    return output + MemberFormat.gzip.footer(indexOffset: footerOffset ?? UInt64(indexOffset))
  }

  /// Where entries of some compressed sizes stand.
  private func places(of sizes: [Int], indexSize: Int) -> [Range<Int>] {
    var end = 0
    return sizes.enumerated().map { position, size in
      end += indexPlaces.filter { $0 == position }.count * indexSize
      defer { end += size }
      return end..<end + size
    }
  }

  /// An entry as gzip members, as the writer makes them.
  private static func members(
    _ entry: Entry, trailing: Int = 0
  ) throws -> ContiguousArray<UInt8> {
    var compressor = try BlockCompressor(level: ArchiveWriterOptions().level)
    var output = ContiguousArray<UInt8>()
    var rest = entry.bytes[...]
    var plain = TarHeader(name: entry.name, size: entry.bytes.count).encoded
    while rest.count > ArchiveLimits.blockSize {
      plain += rest.prefix(ArchiveLimits.blockSize)
      rest = rest.dropFirst(ArchiveLimits.blockSize)
      unsafe plain.withUnsafeBytes {
        unsafe compressor.appendMember($0, to: &output)
      }
      plain.removeAll()
    }
    let zeros = TarHeader.padding(after: entry.bytes.count) + trailing
    plain += rest + ContiguousArray(repeating: 0, count: zeros)
    unsafe plain.withUnsafeBytes { unsafe compressor.appendMember($0, to: &output) }
    return output
  }

  private func stockTar(_ recomputed: Recomputed) -> ContiguousArray<UInt8> {
    let places = entries.map { _ in 0..<0 }
    let content = indexContent(places, recomputed.subtracting(.places))
    let index = Entry(ArchiveEntryName.index, content)
    var tar = HandMadeTar()
    for position in 0...entries.count {
      for _ in indexPlaces.filter({ $0 == position }) { tar.entry(index.name, index.bytes) }
      if position < entries.count { tar.entry(entries[position].name, entries[position].bytes) }
    }
    tar.end()
    return tar.bytes
  }
}
