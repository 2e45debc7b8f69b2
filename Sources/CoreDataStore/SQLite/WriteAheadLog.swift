package import CoreDataModel

/// The `-wal` of a store, examined for frames that SQLite silently ignores.
///
/// SQLite applies frames up to the first wrong one, and takes everything after it for the rest of
/// an unfinished transaction. That is right unless a complete transaction follows. The layout is in
/// <https://sqlite.org/fileformat2.html#walformat>.
package final class WriteAheadLog {
  /// The size of what every log begins with.
  static let headerLength: Int64 = 32
  static let frameHeaderLength = 24
  private static let version: UInt32 = 3_007_000
  /// The minimum size of a page.
  private static let smallestPage: Int64 = 512

  let file: SourceFile

  /// Opens a log for reading; throws `read-failed` when it cannot be opened.
  package init(path: String) throws(CofferError) {
    file = try SourceFile(path: path, kind: .companion)
  }

  /// The two running sums over all that was written so far.
  struct Checksum: Equatable {
    var first: UInt32
    var second: UInt32

    /// Continues over a whole number of double words.
    mutating func update(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        unsafe first = first &+ word(bytes, offset, isBigEndian) &+ second
        unsafe second = second &+ word(bytes, offset + 4, isBigEndian) &+ first
      }
    }

    private func word(
      _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool
    ) -> UInt32 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
  }

  /// The content of a log's header.
  package struct Header: Equatable {
    package let pageSize: Int
    /// The byte order of the words in checksums; all numbers are big-endian.
    let isBigEndian: Bool
    let salts: [UInt32]
    let checksum: Checksum

    /// Reads a header; nil for one that SQLite would not accept.
    init?(_ bytes: UnsafeRawBufferPointer) {
      let words = unsafe WriteAheadLog.words(bytes, count: 8)
      let pageSize = Int64(words[2])
      guard words[0] & ~1 == 0x377f_0682, words[1] == WriteAheadLog.version,
        (WriteAheadLog.smallestPage...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0
      else { return nil }
      self.pageSize = Int(pageSize)
      isBigEndian = words[0] & 1 == 1
      salts = [words[4], words[5]]
      var sum = Checksum(first: 0, second: 0)
      unsafe sum.update(UnsafeRawBufferPointer(rebasing: bytes[..<24]), isBigEndian: isBigEndian)
      guard sum == Checksum(first: words[6], second: words[7]) else { return nil }
      checksum = sum
    }
  }

  /// The first part that cannot be applied although complete transactions follow it; nil if there
  /// is none.
  ///
  /// - Throws: `read-failed` when the file cannot be read.
  package func defect() throws(CofferError) -> LogDefect? {
    let size = try file.size()
    let least = Self.headerLength + Int64(Self.frameHeaderLength) + Self.smallestPage
    guard size >= least else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.frameHeaderLength + 65_536, alignment: 8)
    defer { unsafe buffer.deallocate() }
    let start = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(Self.headerLength)])
    unsafe try file.read(at: 0, into: start)
    guard let header = unsafe Header(UnsafeRawBufferPointer(start)) else {
      return .header(byteCount: size)
    }
    let frameLength = Self.frameHeaderLength + header.pageSize
    let frame = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<frameLength])
    return unsafe try defect(header, frame, count: (size - Self.headerLength) / Int64(frameLength))
  }

  /// Goes through all frames, with space for one.
  ///
  /// A transaction is complete if the checksum of its last frame follows from the previous one: the
  /// remains of a rolled-back transaction after a shorter one never have such a last frame.
  private func defect(
    _ header: Header, _ frame: UnsafeMutableRawBufferPointer, count: Int64
  ) throws(CofferError) -> LogDefect? {
    var before = header.checksum
    var broken: Int64?
    for number in 0..<count {
      unsafe try file.read(at: Self.headerLength + number * Int64(frame.count), into: frame)
      let words = unsafe Self.words(UnsafeRawBufferPointer(frame), count: 6)
      let stored = Checksum(first: words[4], second: words[5])
      var isSound = words[0] != 0 && words[2] == header.salts[0] && words[3] == header.salts[1]
      if isSound {
        let bytes = UnsafeRawBufferPointer(frame)
        unsafe before.update(
          UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: header.isBigEndian)
        unsafe before.update(
          UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderLength...]),
          isBigEndian: header.isBigEndian)
        isSound = before == stored
      }
      if let broken {
        if isSound, words[1] != 0 {
          return .frame(broken + 1, of: count, byteCount: (count - broken) * Int64(frame.count))
        }
      } else if !isSound {
        broken = number
      }
      before = stored
    }
    return nil
  }

  static func words(_ bytes: UnsafeRawBufferPointer, count: Int) -> [UInt32] {
    (0..<count).map {
      unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
    }
  }
}

/// A part of a store's write-ahead log that cannot be applied although complete transactions follow
/// it.
package enum LogDefect: Sendable, Equatable {
  /// The header is wrong, so all of the log is ignored.
  case header(byteCount: Int64)
  /// A frame is invalid, given by its number from 1 and the number of all frames; it and all later
  /// frames are ignored.
  case frame(Int64, of: Int64, byteCount: Int64)
  /// The main file is sound, and is not with the log.
  case foreign(byteCount: Int64)

  /// The number of bytes that are ignored.
  package var byteCount: Int64 {
    switch self {
    case .header(let count), .frame(_, _, let count), .foreign(let count): count
    }
  }

  /// The defect, and the part of the log that is ignored because of it.
  package var text: String {
    switch self {
    case .header: "its header is invalid, so none of it applies"
    case .frame(let number, let count, _):
      "frame \(number) of \(count) is invalid, so this and all later frames do not apply"
    case .foreign:
      "it does not belong to the main file, which is sound without it, so none of it applies"
    }
  }
}
