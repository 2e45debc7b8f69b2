internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store whose every state is known: a writer that changes tags and their todos in random commits, each at a
/// time of 30 days, with an author in the persistent history, and backs the store up now and then.
///
/// The writer is SQLite alone, and its changes are recorded without the product's code.
final class Timeline {
  /// A tag, as the writer left it.
  struct Tag: Equatable {
    var color: Int64
    var name: String
    var todos: Set<Int64> = []
  }

  /// What was backed up.
  struct Moment {
    var backup: Backup
    /// A copy of the store.
    var copy: String
    var tags: [Int64: Tag]
    /// The number of commits.
    var commitCount: Int
  }

  /// A commit: the tag that it was about, and who made it.
  struct Commit {
    var tag: Int64
    var author: String
  }

  /// The minutes of the timeline.
  static let minutes = 30 * 24 * 60

  let trial: VaultTrial
  /// Open while the store is written: another connection or a copy in this process would take its locks.
  private var database: GeneratorDatabase
  private(set) var random: SeededGenerator
  private(set) var tags: [Int64: Tag] = [:]
  private(set) var moments: [Moment] = []
  private(set) var commits: [Commit] = []
  private var nextTag: Int64 = 10
  private static let authors = ["app", "widget", "sync"]

  init(seed: UInt64) throws {
    trial = try VaultTrial()
    random = SeededGenerator(seed: seed)
    database = try Self.open(trial.store)
    for row in try database.rows("SELECT Z_PK, ZCOLOR, ZNAME FROM ZTAGENTITY") {
      guard case .integer(let key) = row[0], case .integer(let color) = row[1],
        case .text(let name) = row[2]
      else { continue }
      tags[key] = Tag(color: color, name: String(decoding: name, as: UTF8.self))
    }
    for row in try database.rows("SELECT Z_9TAGS, Z_4TODOS FROM Z_4TAGS") {
      guard case .integer(let key) = row[0], case .integer(let todo) = row[1] else { continue }
      tags[key]?.todos.insert(todo)
    }
    try database.run(
      "INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (7, 16003, 'sync')")
  }

  private static func open(_ path: String) throws -> GeneratorDatabase {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    return database
  }

  /// Writes commits, and backs up after some of them, at the latest after the last one.
  ///
  /// - Parameters:
  ///   - count: how many commits there are in the 30 days.
  ///   - backups: how many backups there are, about.
  /// - Throws: errors from SQLite and from the vault.
  func write(_ count: Int, backups: Int) throws {
    for number in 0..<count {
      let minute = number * Self.minutes / count
      try commit(minute)
      guard number == count - 1 || random.below(count) < backups else { continue }
      try backUp(minute)
      // Nothing happens, and is backed up.
      if random.chance(0.2) { try backUp(minute + 1) }
    }
  }

  // MARK: Commits

  private func commit(_ minute: Int) throws {
    let author = Self.authors[random.below(Self.authors.count)]
    let keys = tags.keys.sorted()
    var key = keys.isEmpty ? nextTag : keys[random.below(keys.count)]
    let step = random.below(10)
    let kind: Int
    if keys.count < 3 || (step == 0 && keys.count < 40) {
      (key, nextTag, kind) = (nextTag, nextTag + 1, 0)
    } else {
      kind = step == 1 ? 2 : 1
    }
    try database.run("BEGIN")
    switch kind {
    case 0: try insert(key)
    case 2: try delete(key)
    default: try change(key, step)
    }
    try record(key, kind, author, minute)
    try database.run("COMMIT")
    commits.append(Commit(tag: key, author: author))
  }

  private func insert(_ key: Int64) throws {
    let tag = Tag(color: Int64(random.below(1_000)), name: "tag \(key)")
    tags[key] = tag
    try database.run(
      "INSERT INTO ZTAGENTITY VALUES (?, 9, 1, ?, ?)",
      [.integer(key), .integer(tag.color), .text(Array(tag.name.utf8))])
    try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = 9")
  }

  private func delete(_ key: Int64) throws {
    tags[key] = nil
    try database.run("DELETE FROM Z_4TAGS WHERE Z_9TAGS = \(key)")
    try database.run("DELETE FROM ZTAGENTITY WHERE Z_PK = \(key)")
  }

  private func change(_ key: Int64, _ step: Int) throws {
    guard var tag = tags[key] else { return }
    switch step {
    case 2...4:
      tag.name = "tag \(key), \(commits.count)"
      try database.run(
        "UPDATE ZTAGENTITY SET ZNAME = ? WHERE Z_PK = ?",
        [.text(Array(tag.name.utf8)), .integer(key)])
    case 5, 6:
      tag.color = Int64(random.below(1_000))
      try database.run("UPDATE ZTAGENTITY SET ZCOLOR = \(tag.color) WHERE Z_PK = \(key)")
    default:
      // The sample has five todos.
      let todo = Int64(1 + random.below(5))
      if tag.todos.remove(todo) == nil {
        tag.todos.insert(todo)
        try database.run("INSERT INTO Z_4TAGS VALUES (\(todo), \(key))")
      } else {
        try database.run("DELETE FROM Z_4TAGS WHERE Z_4TODOS = \(todo) AND Z_9TAGS = \(key)")
      }
    }
    try database.run("UPDATE ZTAGENTITY SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(key)")
    tags[key] = tag
  }

  /// Writes the transaction and the change of the persistent history.
  private func record(_ key: Int64, _ kind: Int, _ author: String, _ minute: Int) throws {
    let text = ["app": 1, "widget": 5, "sync": 7][author] ?? 1
    let transaction = 100 + commits.count
    try database.run(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZTIMESTAMP)
        VALUES (\(transaction), 16002, 1, \(text), \(816_825_600 + minute * 60).0);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (\(transaction), 16001, 1, \(kind), 9, \(key), \(transaction));
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(transaction) WHERE Z_ENT IN (16001, 16002);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 16003;
      """)
  }

  // MARK: Backups

  private func backUp(_ minute: Int) throws {
    // With this connection, the store closes.
    database = try GeneratorDatabase(path: ":memory:")
    defer {
      do {
        database = try Self.open(trial.store)
      } catch {
        Issue.record(error)
      }
    }
    let backup: Backup
    if moments.isEmpty || random.chance(0.5) {
      backup = try trial.backup(at: minute).backup
    } else {
      try trial.increment(at: minute)
      backup = try trial.vault.find(BackupSelection())
    }
    let copy = trial.directory.file("Truth\(moments.count).sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: trial.store + suffix) {
      try FileManager.default.copyItem(atPath: trial.store + suffix, toPath: copy + suffix)
    }
    let support = StoreFiles(trial.store).supportFolder
    if FileManager.default.fileExists(atPath: support) {
      try FileManager.default.copyItem(atPath: support, toPath: StoreFiles(copy).supportFolder)
    }
    moments.append(
      Moment(backup: backup, copy: copy, tags: tags, commitCount: commits.count))
  }
}
