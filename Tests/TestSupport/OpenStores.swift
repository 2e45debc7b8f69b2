internal import Foundation

/// Stores as on the disk of an app that runs or was killed.
package enum OpenStores {
  /// Copies a store in the state in which its last changes are only in the `-wal`.
  ///
  /// The statements run on the original, while the copy is made from it; the copy consists of the
  /// main file without the changes, the `-wal` with them, and the external files. The original must
  /// be in WAL mode.
  ///
  /// - Parameters:
  ///   - path: the original.
  ///   - destination: the copy.
  ///   - sql: the statements.
  ///   - hasIndex: whether the copy gets the `-shm` too.
  /// - Throws: the error of SQLite or of the file system.
  package static func copyWithLog(
    of path: String, to destination: String, changedBy sql: String, hasIndex: Bool = false
  ) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try database.run("PRAGMA wal_autocheckpoint = 0")
    try database.run(sql)
    _ = try StoreFiles(path).copy(to: destination)
    guard hasIndex else { return }
    try FileManager.default.copyItem(atPath: "\(path)-shm", toPath: "\(destination)-shm")
  }

  /// Copies a store in the state of a crash within a transaction: its `-journal` is hot.
  ///
  /// The statements run on the original and are rolled back there after the copy was made: in the
  /// copy the main file has a part of the changes, and the `-journal` undoes them. The original must
  /// be in DELETE mode. What the statements change must be more than a page.
  package static func copyWithHotJournal(
    of path: String, to destination: String, changedBy sql: String
  ) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    // A cache this small spills changed pages into the file before the transaction ends.
    try database.run("PRAGMA synchronous = FULL; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
    try database.run("BEGIN IMMEDIATE")
    try database.run(sql)
    _ = try StoreFiles(path).copy(to: destination)
    try database.run("ROLLBACK")
  }
}
