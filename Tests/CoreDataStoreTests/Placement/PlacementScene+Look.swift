internal import CoreDataLayout
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CoreDataStore

extension PlacementScene {
  /// Opens the target as an app would, for writing and with all that SQLite then does, and tells what
  /// is there; in a copy, so that nothing changes.
  func look() throws -> Found {
    let copy = try TemporaryDirectory()
    let place = copy.file("place")
    try FileManager.default.copyItem(atPath: folder, toPath: place)
    return try Self.look(at: StorePaths(store: "\(place)/\(Self.name)"), old)
  }

  /// Opens the target in place.
  func lookInPlace() throws -> Found { try Self.look(at: paths, old) }

  private static func look(at store: StorePaths, _ old: Old) throws -> Found {
    guard FileManager.default.fileExists(atPath: store.store) else { return .nothing }
    if old == .notADatabase,
      FileManager.default.contents(atPath: store.store) == Data("this is no database".utf8)
    {
      return FileManager.default.fileExists(atPath: store.companions[0])
        ? .old : .mix("the file without its -wal")
    }
    let database = try GeneratorDatabase(path: store.store)
    guard try database.rows("PRAGMA integrity_check") == [[.string("ok")]] else {
      return .mix("a damaged database")
    }
    guard case .text(let text)? = try database.rows("SELECT TEXT FROM NAME").first?.first else {
      return .mix("no name")
    }
    let name = String(decoding: text, as: UTF8.self)
    if let problem = try problem(database, store, name, old) { return .mix("\(name): \(problem)") }
    return name == "old" ? .old : .new
  }

  /// What a store lacks of what it should have, or nil.
  private static func problem(
    _ database: GeneratorDatabase, _ store: StorePaths, _ name: String, _ old: Old
  ) throws -> String? {
    let late = try database.integer("SELECT count(*) FROM ROWS WHERE TEXT LIKE 'late%'")
    if name == "old", old == .logged, late != 4 { return "\(late ?? 0) of 4 rows of the log" }
    if name == "new", late != 0 { return "rows of the old store's log" }
    if try database.integer("SELECT count(*) FROM ROWS WHERE TEXT LIKE 'half%'") != 0 {
      return "half a transaction"
    }
    for row in try database.rows("SELECT PATH, BYTES FROM FILES") {
      guard case .text(let name) = row[0], case .text(let content) = row[1] else {
        return "no list of files"
      }
      let path = String(decoding: name, as: UTF8.self)
      let bytes = FileManager.default.contents(
        atPath: store.path(of: path.split(separator: "/").map(String.init)))
      guard bytes == Data(content) else { return "\(path) is another file, or none" }
    }
    return nil
  }

  /// The paths of all external files at the target, sorted.
  func externalFiles() -> [String] {
    let roots =
      [(paths.supportFolder, "")]
      + CompanionFolder.all.map {
        (StorePaths.join(folder, $0.name(paths.baseName, paths.name)), "../\($0.place)/")
      }
    return roots.flatMap { root, prefix in
      (FileManager.default.subpaths(atPath: root) ?? []).filter { name in
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(
          atPath: "\(root)/\(name)", isDirectory: &isFolder) && !isFolder.boolValue
      }.map { prefix + $0 }
    }.sorted()
  }

  /// The names in the folder of the target that no store has.
  func leftovers() throws -> [String] {
    let known = ["", "-wal", "-shm", "-journal"].map { Self.name + $0 }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !known.contains($0) && !paths.presentFolderNames.contains($0) }.sorted()
  }
}
