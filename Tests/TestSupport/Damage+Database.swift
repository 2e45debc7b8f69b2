internal import Foundation

extension Damage {
  /// The root page of a table is overwritten with zeros.
  package static let brokenPage = Damage("broken-page", "the root page of the tags is overwritten")
  {
    path in
    var page = 0
    try open(path) {
      let found = try $0.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAGENTITY'")
      page = Int(found ?? 2)
    }
    try rewrite(path) { data in
      let range = (page - 1) * 4096..<page * 4096
      data.replaceSubrange(range, with: Data(count: 4096))
    }
  }
  /// The file ends in its middle.
  package static let truncatedFile = Damage("truncated-file", "the file ends in its middle") {
    path in
    try rewrite(path) { $0 = $0.prefix($0.count / 2) }
  }
  /// The file is empty.
  package static let emptyFile = Damage("empty-file", "the file is empty") { path in
    try rewrite(path) { $0 = Data() }
  }
  /// The file is no database.
  package static let notADatabase = Damage("not-a-database", "the file is no database") { path in
    try rewrite(path) { data in
      for index in data.indices { data[index] ^= 0x5a }
    }
  }

  /// The header counts a free page more than there are: SQLite reads everything all the same.
  package static let wrongFreeList = Damage(
    "wrong-free-list", "the header counts a free page more than there are"
  ) { path in
    try rewrite(path) { $0[39] &+= 1 }
  }
  /// A frame of the write-ahead log is wrong, and transactions stand behind it.
  package static let damagedLog = Damage(
    "damaged-log", "the first frame of the write-ahead log is wrong, and there are more"
  ) { path in
    try writeLog(path)
    try rewrite(path + "-wal") { $0[32 + 24 + 100] ^= 0x5a }
  }
  /// The header of the write-ahead log is wrong.
  package static let damagedLogHeader = Damage(
    "damaged-log-header", "the header of the write-ahead log is wrong"
  ) { path in
    try writeLog(path)
    try rewrite(path + "-wal") { $0[16] ^= 0x5a }
  }

  static let files = [
    brokenPage, truncatedFile, emptyFile, notADatabase, wrongFreeList, damagedLog,
    damagedLogHeader,
  ]

  /// Leaves a write-ahead log beside a store, with two transactions, of which the second undoes the first.
  private static func writeLog(_ path: String) throws {
    let (url, log) = (URL(fileURLWithPath: path), URL(fileURLWithPath: path + "-wal"))
    var files: [(URL, Data)] = []
    try open(path) { database in
      try database.run("PRAGMA wal_autocheckpoint = 0")
      for change in ["+ 1", "- 1"] {
        try database.run("UPDATE ZVISITENTITY SET Z_OPT = Z_OPT \(change) WHERE Z_PK = 1")
      }
      files = try [url, log].map { ($0, try Data(contentsOf: $0)) }
    }
    // Closing has moved the log into the main file.
    for (url, data) in files { try data.write(to: url) }
  }
}
