package import CoreDataModel

/// The first 100 bytes of an SQLite database (<https://sqlite.org/fileformat.html>).
package struct DatabaseHeader: Sendable {
  /// The length of the header in bytes.
  package static let length = 100

  /// How a database encodes text.
  package enum TextEncoding: UInt32 {
    case utf8 = 1
    case utf16LittleEndian
    case utf16BigEndian
  }

  /// Whether the file says that a write-ahead log belongs to it.
  package let usesWAL: Bool
  /// The size of a page in bytes, a power of two from 512 to 65,536; nil if the header has another number.
  package let pageSize: Int?
  /// The number of bytes of a page that SQLite uses, at least 480; nil for fewer.
  package let usableSize: Int?
  /// How text is encoded.
  package let encoding: TextEncoding
  /// The first page of the list of free pages; 0 for none.
  package let firstTrunk: Int
  /// The size of the file according to its header; nil if that is not reliable.
  package let byteCount: Int64?

  /// Reads the header of a main file.
  ///
  /// - Parameters:
  ///   - bytes: the first bytes of the file. More than ``length`` help to recognize other kinds of
  ///     files.
  ///   - place: the file, for errors.
  /// - Throws: `not-sqlite` for everything that does not begin like a database.
  package init(_ bytes: [UInt8], place: String) throws(CofferError) {
    guard !bytes.isEmpty else {
      throw CofferError(.notSQLite, path: place, detail: "the file is empty")
    }
    guard FileSignature.isDatabase(bytes) else {
      if bytes.prefix(Self.length).allSatisfy({ $0 == 0 }) {
        throw CofferError(
          .notSQLite, path: place, detail: "it begins with zeros, so its header is lost",
          advice:
            "Restore an older backup. As a last resort, run `sqlite3 STORE .recover` on a copy.")
      }
      guard let foreign = ForeignFile(bytes) else {
        throw CofferError(
          .notSQLite, path: place, detail: "it does not begin like an SQLite database",
          advice: "It may be an encrypted store. Decrypt it first.")
      }
      throw CofferError(
        .notSQLite, path: place, detail: foreign.detail, advice: foreign.advice(at: place))
    }
    guard bytes.count >= Self.length else {
      throw CofferError(
        .notSQLite, path: place,
        detail: "it ends after \(bytes.count) of the \(Self.length) bytes of its header")
    }
    usesWAL = bytes[18] == 2 || bytes[19] == 2
    let stored = bytes.word(16) ?? 0
    let size = stored == 1 ? 65_536 : stored
    pageSize = size >= 512 && size & (size - 1) == 0 ? size : nil
    usableSize = pageSize.map { $0 - Int(bytes[20]) }.flatMap { $0 >= 480 ? $0 : nil }
    encoding = bytes.long(56).flatMap { TextEncoding(rawValue: UInt32($0)) } ?? .utf8
    firstTrunk = bytes.long(32) ?? 0
    let pageCount = Int64(bytes.long(28) ?? 0)
    // The count is valid when it was written together with the change counter.
    let isValid = bytes[24..<28].elementsEqual(bytes[92..<96]) && pageCount > 0
    byteCount = isValid ? pageCount * Int64(size) : nil
  }
}

extension [UInt8] {
  /// The big-endian number of 16 bits at an offset; nil beyond the end.
  package func word(_ offset: Int) -> Int? {
    guard offset >= 0, offset < count - 1 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The big-endian number of 32 bits at an offset; nil beyond the end.
  package func long(_ offset: Int) -> Int? {
    guard let high = word(offset), let low = word(offset + 2) else { return nil }
    return high << 16 | low
  }
}

/// The first bytes of a file that may be a store.
///
/// Reading them by plain calls would drop the locks that this process holds on a store it has open.
package enum FileSignature {
  private static let databaseMagic = Array("SQLite format 3\0".utf8)

  /// Reads the first bytes of a file, fewer if it ends before; locks and changes nothing.
  ///
  /// - Throws: ``CofferError``: `not-found`, or `read-failed` for folders, devices and missing
  ///   permissions.
  package static func bytes(ofFileAt path: String, count: Int) throws(CofferError) -> [UInt8] {
    let files = try DatabaseFiles(of: path)
    let file = try SourceFile(path: files.main, kind: .main)
    return try file.bytes(at: 0, count: count)
  }

  /// Whether bytes are the beginning of an SQLite database.
  ///
  /// The first 16 are the same in all of them. Source: SQLite's file format, section 1.3.
  package static func isDatabase(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: databaseMagic)
  }

  /// Whether a file is an SQLite database.
  package static func isDatabase(fileAt path: String) throws(CofferError) -> Bool {
    isDatabase(try bytes(ofFileAt: path, count: databaseMagic.count))
  }
}
