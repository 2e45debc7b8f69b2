package import CoreDataModel

/// The first 100 bytes of an SQLite database (<https://sqlite.org/fileformat.html>).
package struct DatabaseHeader: Sendable {
  /// The length of the header in bytes.
  package static let length = 100

  /// Whether the file says that a write-ahead log belongs to it.
  package let usesWAL: Bool
  /// The size of the file according to its header; nil if that is not reliable.
  let byteCount: Int64?

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
    let pageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
    let pageCount = bytes[28..<32].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    // The count is valid when it was written together with the change counter.
    let isValid = bytes[24..<28].elementsEqual(bytes[92..<96]) && pageCount > 0
    byteCount = isValid ? pageCount * (pageSize == 1 ? 65_536 : pageSize) : nil
  }
}
