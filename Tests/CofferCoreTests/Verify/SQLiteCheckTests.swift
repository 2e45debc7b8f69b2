internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// SQLite's own check runs, and its messages are passed on.
@Suite struct SQLiteCheckTests {
  /// An index that lacks a row is only found by a comparison of each index with its table.
  @Test func onlyADeepCheckComparesIndexes() throws {
    let sample = try SampleCopy()
    let name = "Z_TagEntity_UNIQUE_name"
    let row = try SampleCopy.rows(
      sample.path,
      "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = '\(name)'")
    try sample.change(
      "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '\(name)'")
    try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1")
    let database = try GeneratorDatabase(path: sample.path)
    try database.run("PRAGMA writable_schema = ON")
    try database.run("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", try #require(row.first))
    var options = VerificationOptions()
    options.checks = [.sqlite]
    #expect(try Verification(of: sample.path, options: options).texts == [])
    options.isDeep = true
    let deep = try Verification(of: sample.path, options: options)
    #expect(!deep.findings.isEmpty)
    #expect(deep.findings.allSatisfy { $0.code == .sqliteDamage && $0.detail.contains(name) })
  }

  @Test func theDetailIsSQLitesMessage() throws {
    let sample = try SampleCopy()
    try Damage.wrongFreeList.apply(to: sample.path)
    let finding = try #require(try Verification(of: sample.path).findings.first)
    #expect(finding.detail.lowercased().contains("freelist"))
    #expect(!finding.detail.contains("\n"))
  }

  @Test func whatStandsBehindADamagedFrameIsNotSeen() throws {
    let sample = try SampleCopy()
    try Damage.damagedLog.apply(to: sample.path)
    let details = try Verification(of: sample.path).findings.map(\.detail)
    #expect(details == ["frame 1 of 2 is invalid, so this and all later frames do not apply"])
    var options = VerificationOptions()
    options.environment = .inPlace
    #expect(try Verification(of: sample.path, options: options).findings.map(\.detail) == details)
  }
}
