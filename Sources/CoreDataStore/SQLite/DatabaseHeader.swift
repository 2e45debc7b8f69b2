/// The first 100 bytes of an SQLite database (<https://sqlite.org/fileformat.html>).
package struct DatabaseHeader: Sendable {
  /// The length of the header in bytes.
  package static let length = 100

  /// Whether the file says that a write-ahead log belongs to it.
  package let usesWAL: Bool

  /// Reads the header of a main file.
  ///
  /// - Throws: `not-sqlite` for everything that does not begin like a database.
  package init(_ bytes: [UInt8], place: String) throws(StoreError) {
    guard !bytes.isEmpty else {
      throw StoreError(.notSQLite, place: place, detail: "the file is empty")
    }
    guard bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw StoreError(
        .notSQLite, place: place, detail: "it does not begin like a database",
        hint: "An encrypted store looks like this: decrypt it first.")
    }
    guard bytes.count >= Self.length else {
      throw StoreError(
        .notSQLite, place: place,
        detail: "it ends inside of its header of \(Self.length) bytes, after \(bytes.count)")
    }
    usesWAL = bytes[18] == 2 || bytes[19] == 2
  }
}
