package import CoreDataModel

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
    let files = try StoreFiles(of: path)
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
  ///
  /// - Throws: as ``bytes(ofFileAt:count:)``.
  package static func isDatabase(fileAt path: String) throws(CofferError) -> Bool {
    isDatabase(try bytes(ofFileAt: path, count: databaseMagic.count))
  }
}
