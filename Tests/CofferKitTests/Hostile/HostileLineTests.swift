internal import CoreDataLayout
internal import CoreDataModel
internal import TestSupport
internal import Testing

@testable internal import CofferKit

/// Lines that cost few bytes cost little work, however many there are.
@Suite struct HostileLineTests {
  /// The findings about the lines of an archive with more lines in its first part of tags.
  private static func findings(
    about lines: [String], of entry: String = HostileArchive.tags, limit: Int
  ) throws -> [Finding] {
    let (folder, path) = try HostileArchive.archive()
    defer { withExtendedLifetime(folder) {} }
    var archive = try ArchiveRewriter(path)
    try archive.changeLines(of: entry) { $0 += lines }
    try archive.write(to: path)
    var options = VerificationOptions()
    options.archiveAccess.limits.findings = limit
    var found: [Finding] = []
    try Verifier(options: options).verify(path) { found.append($0) }
    return found
  }

  @Test(arguments: ["", "x", "{}", "[", "7"]) func linesInVainAreGivenUp(_ line: String) throws {
    let found = try Self.findings(about: Array(repeating: line, count: 100), limit: 3)
      .filter { $0.code == .archiveInvalidLine }
    #expect(found.map(\.multiplicity).reduce(0, +) == 31)
    let given = try #require(found.first { $0.detail.contains("more than 30 lines") })
    #expect(given.detail.hasSuffix("on, parts are read only up to their first such line"))
    #expect(given.entityName == "TagEntity")
  }

  @Test func linesBelowTheLimitAreAllTried() throws {
    let found = try Self.findings(about: Array(repeating: "x", count: 30), limit: 3)
      .filter { $0.code == .archiveInvalidLine }
    #expect(found.map(\.multiplicity).reduce(0, +) == 30)
    #expect(found.allSatisfy { !$0.detail.contains("more than") })
  }

  @Test func missingValuesAreReportedInTheOrderOfTheirRows() throws {
    var values = ExpectedValues()
    let table = TableLayout(
      folder: "entities/A", storedName: "ZA", kind: .entity, entityName: "A", fields: [])
    for row in [3, 1, 2] as [Int64] {
      let value = OutOfLineValue(
        name: "value-\(10 - row)", parameter: 1, row: row, length: 1, isMarked: false,
        isText: false, isReserved: false)
      #expect(values.expect(value, of: table, in: "entities/A/00000") == nil)
    }
    var entries: [String] = []
    values.takeMissing { entries.append($0.entry) }
    #expect(entries == [9, 8, 7].map { "entities/A/00000.value-\($0)" })
    #expect(values.take("entities/A/00000.value-9") == nil)
  }
}
