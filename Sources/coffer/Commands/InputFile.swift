internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Foundation

/// Opens the input files of commands, with helpful errors for files of other kinds.
enum InputFile {
  /// Opens a store.
  ///
  /// A piped one may wait for its reader.
  ///
  /// - Throws: ``CofferError``. If the file is an archive, the hint says how to use it.
  static func openStore(
    _ path: String, salvaging isSalvage: Bool = false, isPiped: Bool = false
  ) throws -> PersistentStore {
    try explainedStore(path) {
      if isSalvage { return try openDamaged(path) }
      return try isPiped ? openPatiently(path) : .opened(path, .inPlace)
    }
  }

  /// Runs a closure that reads a store.
  ///
  /// - Throws: errors from the closure. If the file is an archive, the hint says how to use it.
  static func explainedStore<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CofferError where error.code == .notSQLite {
      guard looksLikeArchive(path) else { throw error }
      throw CofferError(
        .notCoreData, path: path, detail: "it appears to be an archive",
        advice: "To restore a store from it: coffer import \(path) NAME.sqlite")
    }
  }

  private static func openPatiently(_ path: String) throws -> PersistentStore {
    try PersistentStore(
      readingFrom: path, access: .inPlace, toleratesMissingTables: false,
      mayKeepWritersWaiting: false)
  }

  private static func openDamaged(_ path: String) throws -> PersistentStore {
    try PersistentStore(salvaging: path)
  }

  /// Runs a closure that reads an archive.
  ///
  /// - Throws: errors from the closure. If the file is a store, the hint says how to use it.
  static func explained<T>(_ archive: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CofferError where error.code == .notAnArchive {
      guard FileSignature.isDatabase(beginning(of: archive)) else { throw error }
      throw CofferError(
        .notAnArchive, path: archive, detail: "it is an SQLite database, such as a store",
        advice: "To back up a store: coffer export \(archive) NAME.coffer.tar.gz")
    }
  }

  /// Refuses a store instead of a change file.
  static func requireChanges(_ changes: String, after store: String) throws {
    guard isDatabase(changes) else { return }
    let isSwapped = (try? SourceKind(ofFileAt: store)).map { $0 != .store } ?? false
    throw CofferError(
      .notAnArchive, path: changes, detail: "it is a store, not a change file",
      advice: isSwapped
        ? "The store comes first: coffer apply \(changes) \(store)"
        : "To write the changes between two stores: coffer diff OLD NEW --output CHANGES")
  }

  static func looksLikeArchive(_ path: String) -> Bool {
    (try? SourceKind(ofFileAt: path)) == .archive
  }

  /// Whether a file is an SQLite database.
  static func isDatabase(_ path: String) -> Bool { FileSignature.isDatabase(beginning(of: path)) }

  private static func beginning(of path: String) -> Data {
    guard let file = FileHandle(forReadingAtPath: path) else { return Data() }
    defer { try? file.close() }
    return (try? file.read(upToCount: ArchiveEncryption.prefixSize)) ?? Data()
  }
}
