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

  @Test func shortLinesAreCountedInAllPartsOnce() throws {
    let (folder, path) = try HostileArchive.archive()
    let (otherFolder, other) = try HostileArchive.archive()
    defer { withExtendedLifetime(otherFolder) {} }
    var archive = try ArchiveRewriter(path)
    for tag in [HostileArchive.tags, "entities/AttachmentEntity/00000.ndjson"] {
      try archive.changeLines(of: tag) { $0 += (90..<95).map { "{\"$pk\":\($0)}" } }
    }
    try archive.write(to: path)
    let lines = archive.entries.filter { $0.name.hasSuffix(".ndjson") }
      .flatMap { $0.text.split(separator: "\n") }
    let count = lines.count { $0.utf8.count + 1 < 24 }
    #expect(count >= 10 && count < lines.count)
    for (number, limit) in [count, count - 1].enumerated() {
      var access = ArchiveAccess()
      access.limits.shortLines = limit
      let verification = VerificationOptions()
      var importing = ImportOptions()
      importing.archiveAccess = access
      let data = DataExporter(options: DataExportOptions(format: .csv), archiveAccess: access)
      var comparing = ComparisonOptions()
      comparing.archiveAccess = access
      let errors = [
        errorCode {
          var options = verification
          options.archiveAccess = access
          _ = try Verifier(options: options).verify(path) { _ in }
        },
        errorCode {
          try StoreImporter(options: importing).import(path, to: folder.file("\(number).sqlite"))
        },
        errorCode {
          // Tables may be read more than once.
          _ = try StoreComparison(options: comparing).compare(path, other) { _ in }
        },
        errorCode { _ = try data.write(path, to: folder.file("Data\(number)")) },
      ]
      let expected: String? = limit < count ? "archive-limit" : nil
      #expect(errors.prefix(2) == [expected, expected])
      // Not all tables are among the data.
      #expect(limit < count || errors.dropFirst(2) == [nil, nil])
    }
  }

  @Test(arguments: [0, 3]) func anExportSaysWhichLimitsItsReadersMustRaise(_ threads: Int) throws {
    let sample = try SampleCopy(
      changedBy: """
        INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK + 100, Z_ENT, 1 FROM ZTAGENTITY
        """)
    let folder = try TemporaryDirectory()
    var options = ExportOptions(threads: threads)
    options.division.sizePerConnection = 1
    func raised() throws -> [ArchiveLimits.Name: Int] {
      try StoreExporter(options: options).export(
        PersistentStore(readingFrom: sample.path),
        to: .file(folder.file("Store.coffer.tar.gz"), overwriting: true)
      ).raisedLimits
    }
    #expect(try raised() == [:])
    options.readerLimits.shortLines = 2
    let value = try #require(try raised()[.shortLines])
    #expect(value > 2)
    for (limit, expected) in [(value, nil), (value - 1, "archive-limit")] as [(Int, String?)] {
      var verification = VerificationOptions()
      verification.archiveAccess.limits.shortLines = limit
      let code = errorCode {
        _ = try Verifier(options: verification).verify(folder.file("Store.coffer.tar.gz")) { _ in }
      }
      #expect(code == expected)
    }
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
