internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

/// A folder with an old store in one of the states that a crash of an app can leave, and a new one that
/// is to take its place.
///
/// Each store is a database with a name in it and a list of its external files with their bytes, so that
/// a mix of two stores is found out.
struct PlacementScene {
  /// What stands at the target before.
  enum Old: String, CaseIterable {
    /// Nothing.
    case nothing
    /// A store that was closed, without external files.
    case small
    /// A store that was closed, with external files.
    case closed
    /// A part of the store is in a `-wal`, as after a crash of the app.
    case logged
    /// A transaction is half done, and a hot `-journal` takes it back.
    case hotJournal
    /// A log that SQLite would cut at a damage, with transactions behind it.
    case damagedLog
    /// An external file has the name of a new one, and other bytes.
    case conflict
    /// Companions and external files without a store.
    case remains
    /// A file that is no database, with a `-wal`.
    case notADatabase
  }

  /// What is found at the target.
  enum Found: Equatable {
    case nothing, old, new
    /// Something that must never be.
    case mix(String)
  }

  static let name = "Notes.sqlite"
  let directory: TemporaryDirectory
  let old: Old
  /// The folder of the target.
  var folder: String { directory.file("place") }
  /// The path of the target.
  var target: String { "\(folder)/\(Self.name)" }
  /// The files of the target.
  var paths: StorePaths { StorePaths(store: target) }

  /// The external files of the old store.
  static let oldFiles = [
    "_EXTERNAL_DATA/SAME": "the same", "_EXTERNAL_DATA/OLD-1": "old 1",
    "_EXTERNAL_DATA/OLD-2": "old 2", "OTHER/DEEP/OLD-3": "old 3",
    "../NAME_ckAssets/OLD.fxd": "old asset", "../.FILE_ckAssetFiles/OLD": "old file",
  ]
  /// The external files of the new store.
  static let newFiles = [
    "_EXTERNAL_DATA/SAME": "the same", "_EXTERNAL_DATA/NEW-1": "new 1", "FRESH/NEW-2": "new 2",
    "../NAME_ckAssets/NEW.fxd": "new asset",
  ]

  init(_ old: Old) throws {
    directory = try TemporaryDirectory()
    self.old = old
    try Self.makeFolder(folder)
    try Self.makeFolder(directory.file("elsewhere"))
    try makeOld()
  }

  /// The external files that the old store has in this scene.
  private var filesOfOld: [String: String] {
    switch old {
    case .nothing, .small: [:]
    case .conflict: Self.oldFiles.merging(["FRESH/NEW-2": "not new"]) { $1 }
    default: Self.oldFiles
    }
  }

  private func makeOld() throws {
    guard old != .nothing else { return }
    let source = StorePaths(store: directory.file("making/\(Self.name)"))
    try Self.makeFolder(source.folder)
    let isRollback = old == .hotJournal
    let database = try GeneratorDatabase(path: source.store)
    try database.run(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = \(isRollback ? "DELETE" : "WAL")")
    try Self.fill(database, "old", filesOfOld, into: paths)
    switch old {
    case .logged, .damagedLog, .remains, .notADatabase:
      try database.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0")
      for number in 0..<4 { try database.run("INSERT INTO ROWS VALUES ('late \(number)')") }
    case .hotJournal:
      try database.run(
        "PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE ROWS SET TEXT = 'half' || TEXT")
    default:
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for (from, to) in zip([source.store] + source.companions, [target] + paths.companions)
    where FileManager.default.fileExists(atPath: from) {
      if from == source.companions[1] { continue }
      try FileManager.default.copyItem(atPath: from, toPath: to)
    }
    if old != .logged, old != .damagedLog, old != .remains, old != .notADatabase {
      try? FileManager.default.removeItem(atPath: paths.companions[0])
    }
    try spoil()
  }

  private func spoil() throws {
    switch old {
    case .damagedLog:
      var bytes = try Data(contentsOf: URL(fileURLWithPath: paths.companions[0]))
      bytes[32 + 24 + 100] ^= 0xff
      try bytes.write(to: URL(fileURLWithPath: paths.companions[0]))
    case .remains: try FileManager.default.removeItem(atPath: target)
    case .notADatabase:
      try Data("this is no database".utf8).write(to: URL(fileURLWithPath: target))
    case .hotJournal:
      let size = try FileManager.default.attributesOfItem(atPath: paths.companions[2])[.size]
      try #require((size as? Int ?? 0) > 512)
    default: break
    }
  }

  /// Builds the new store where a placement wants it.
  func build(_ placement: StorePlacement) throws {
    try Self.fill(
      try GeneratorDatabase(path: placement.working.store), "new", Self.newFiles,
      into: placement.working)
  }

  /// The way in which a new store takes over files of the old one.
  enum TakingOver: CaseIterable {
    /// They stay where they are.
    case inPlace
    /// They stay where they are, and no file can have a second name.
    case inPlaceWithoutLinks
    /// The new store has second names for them, as for the file that both have anyway.
    case bySecondNames
  }

  /// Builds a new store that takes over files of the old one.
  func build(
    _ placement: StorePlacement, takingOver files: [String: String], _ way: TakingOver
  ) throws {
    try build(placement)
    if way == .bySecondNames {
      let same = "_EXTERNAL_DATA/SAME"
      try FileManager.default.removeItem(
        atPath: "\(placement.working.supportFolder)/\(same)")
      for path in files.keys + [same] {
        let components = path.split(separator: "/").map(String.init)
        let second = placement.working.path(of: components)
        try Self.makeFolder(StorePaths.folder(of: second))
        try FileManager.default.linkItem(atPath: paths.path(of: components), toPath: second)
      }
    }
    let database = try GeneratorDatabase(path: placement.working.store)
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      try database.run("INSERT INTO FILES VALUES (?, ?)", [.string(path), .string(text)])
    }
  }

  private static func fill(
    _ database: GeneratorDatabase, _ name: String, _ files: [String: String], into store: StorePaths
  ) throws {
    try database.run("PRAGMA synchronous = OFF")
    try database.run(
      "BEGIN; CREATE TABLE NAME (TEXT); CREATE TABLE FILES (PATH, BYTES); CREATE TABLE ROWS (TEXT)")
    try database.run("INSERT INTO NAME VALUES (?)", [.string(name)])
    for number in 0..<200 {
      try database.run(
        "INSERT INTO ROWS VALUES (?)", [.string("\(number) " + String(repeating: name, count: 50))])
    }
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      try database.run("INSERT INTO FILES VALUES (?, ?)", [.string(path), .string(text)])
      let file = store.path(of: path.split(separator: "/").map(String.init))
      try makeFolder(StorePaths.folder(of: file))
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
    try database.run("COMMIT")
  }

  private static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
}
