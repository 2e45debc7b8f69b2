internal import CoreDataModel
internal import DataCompression

/// An entry in its compressed form, to be copied from one archive to another.
package struct CompressedEntry: Sendable {
  /// The entry.
  package let entry: ArchiveIndex.Entry
  /// Whether its tar header is a separate member.
  let isHeaderApart: Bool
  let format: MemberFormat
  /// Its compression.
  package var compression: ArchiveCompression {
    ArchiveCompression.allCases.first { $0.format == format } ?? .gzip
  }
  private let file: OpenFile
  /// The place of its members, without one that has only the header.
  private let range: Range<Int>

  /// The number of bytes that are copied at once.
  private static let pieceSize = 1 << 18

  /// Reads the header of the first member of an entry.
  init(
    _ entry: ArchiveIndex.Entry, of file: OpenFile, _ limits: ArchiveLimits
  ) throws(CofferError) {
    let whole = entry.offset..<entry.offset + entry.compressedSize
    let beginning = try ArchiveInput(file, range: whole).peek(MemberFormat.headerSize)
    let members = MemberReader(ArchiveInput(file, range: whole), threads: 0, limits: limits)
    guard let cursor = try EntryCursor.next(in: members), cursor.name == entry.name,
      cursor.size == entry.size,
      let header = unsafe beginning.withBytes({ unsafe MemberFormat.header(of: $0) })
    else {
      throw CofferError(
        .damagedArchive, path: file.path, entry: entry.name, offset: entry.offset,
        detail: "the offset in the index leads to another entry")
    }
    self.entry = entry
    self.file = file
    format = header.format
    isHeaderApart = members.plainLeft == 0
    range = (isHeaderApart ? entry.offset + members.size : entry.offset)..<whole.upperBound
  }

  /// Passes the members on in pieces.
  func readMembers(
    through piece: inout ContiguousArray<UInt8>,
    _ body: (ContiguousArray<UInt8>, Range<Int>) throws(CofferError) -> Void
  ) throws(CofferError) {
    if piece.isEmpty { piece = ContiguousArray(repeating: 0, count: Self.pieceSize) }
    let input = ArchiveInput(file, range: range)
    while !input.isAtEnd {
      let count = try unsafe piece.withMutableBytes { buffer throws(CofferError) in
        try unsafe input.read(into: buffer)
      }
      guard count > 0 else {
        throw CofferError(
          .truncatedArchive, path: file.path, entry: entry.name,
          detail: "the file became shorter while it was read")
      }
      try body(piece, 0..<count)
    }
  }
}
