internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferCore
@testable internal import CofferTables

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
    options.environment.limits.findings = limit
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

  /// Values that JSON could mean, but the column does not have without a tag.
  @Test(arguments: [
    ("TagEntity", #"{"$pk":true,"$opt":1}"#, "the key of the row is not an integer"),
    ("TagEntity", #"{"$pk":"90","$opt":1}"#, "the key of the row is not an integer"),
    ("TagEntity", #"{"$pk":90,"$opt":true}"#, "true or false"),
    ("TagEntity", #"{"$pk":90,"$opt":1,"name":5}"#, "an integer without a tag"),
    ("TagEntity", #"{"$pk":90,"$opt":1,"name":0.5}"#, "a number with a fraction without a tag"),
    ("ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","location":true}"#, "true or false"),
    (
      "ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","location":"1"}"#,
      "a string without a tag"
    ),
    (
      "ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","parent":{"$pk":true}}"#,
      "true or false"
    ),
    (
      "ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","parent":1}"#,
      "an integer without a tag"
    ),
    ("ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","priority":true}"#, "true or false"),
    (
      "ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","isDone":"true"}"#,
      "a string without a tag"
    ),
    (
      "ItemEntity", #"{"$pk":90,"$opt":1,"$entity":"TodoEntity","createdAt":5}"#,
      "an integer without a tag"
    ),
  ]) func aValueInAFormOfAnotherColumnIsRefused(
    _ entity: Name, _ line: String, _ reason: String
  ) throws {
    let (folder, path) = try HostileArchive.archive()
    let entry = "entities/\(entity)/00000.ndjson"
    var archive = try ArchiveRewriter(path)
    var number = 0
    try archive.changeLines(of: entry) {
      $0.append(line)
      number = $0.count
    }
    try archive.write(to: path)
    let error = try #require(throws: CofferError.self) {
      try StoreImporter().import(path, to: folder.file("New.sqlite"))
    }
    #expect(error.code == .damagedArchive)
    #expect(error.description.contains("\(path)"))
    #expect(error.description.contains("\(entry)"))
    #expect(error.description.contains("line \(number), byte "))
    #expect(error.description.contains(": \(reason)"))
  }

  @Test func aBooleanAttributeIsReadInAllItsForms() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    let values = ["true", "false", "1", "0", "7", #"{"$real":0.5}"#]
    try archive.changeLines(of: "entities/ItemEntity/00000.ndjson") { lines in
      for (number, value) in values.enumerated() {
        lines.append(
          #"{"$pk":\#(90 + number),"$opt":1,"$entity":"TodoEntity","isDone":\#(value)}"#)
      }
    }
    try archive.write(to: path)
    let store = folder.file("New.sqlite")
    try StoreImporter().import(path, to: store)
    let found = try GeneratorDatabase(path: store).rows(
      "SELECT ZISDONE FROM ZITEMENTITY WHERE Z_PK >= 90 ORDER BY Z_PK")
    let expected: [StoreValue] = [
      .integer(1), .integer(0), .integer(1), .integer(0), .integer(7), .real(0.5),
    ]
    #expect(found.flatMap { $0 } == expected)
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
      var environment = WorkEnvironment()
      environment.limits.shortLines = limit
      let verification = VerificationOptions()
      var importing = ImportOptions()
      importing.environment = environment
      var exporting = DataExportOptions(format: .csv)
      exporting.environment = environment
      let data = DataExporter(options: exporting)
      var comparing = ComparisonOptions()
      comparing.environment = environment
      let errors = [
        errorCode {
          var options = verification
          options.environment = environment
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
      verification.environment.limits.shortLines = limit
      let code = errorCode {
        _ = try Verifier(options: verification).verify(folder.file("Store.coffer.tar.gz")) { _ in }
      }
      #expect(code == expected)
    }
    options.readerLimits.indexEntries = 2
    let entries = try #require(try raised()[.indexEntries])
    for (limit, expected) in [(entries, nil), (entries - 1, "archive-limit")] as [(Int, String?)] {
      var importing = ImportOptions()
      importing.environment.limits.indexEntries = limit
      let code = errorCode {
        try StoreImporter(options: importing)
          .import(folder.file("Store.coffer.tar.gz"), to: folder.file("\(limit).sqlite"))
      }
      #expect(code == expected)
    }
  }

  /// Numbers ascend, as the writer gives them; or they do not, and one comes twice.
  @Test(arguments: [[0, 1, 5, 9, 10], [9, 10, 1, 0, 5], [0, 9, 10, 9, 1, 5]])
  func expectedValuesAreFoundByTheirNumbers(_ numbers: [Int]) throws {
    var values = ExpectedValues()
    let table = TableLayout(
      folder: "entities/A", storedName: "ZA", kind: .entity, entityName: "A", fields: [])
    let part = try #require(PartEntryName("entities/A/00000.ndjson"))
    var seen: [Int] = []
    for (line, number) in numbers.enumerated() {
      let value = OutOfLineValue(
        number: number, parameter: 1, length: line, isMarked: false, isText: false,
        isReserved: false)
      let defect = values.expect(value, of: table, in: part)
      #expect(defect?.entry == (seen.contains(number) ? "entities/A/00000.value-\(number)" : nil))
      if !seen.contains(number) { seen.append(number) }
    }
    func take(_ name: String) throws -> Int? {
      values.take(try #require(PartEntryName(name)))?.value.length
    }
    #expect(try take("entities/A/00000.value-9") == numbers.lastIndex(of: 9))
    for name in ["0.value-9", "0.value-2", "0.value-01", "0.value-", "0.blobs", "1.value-1"] {
      #expect(try take("entities/A/0000\(name)") == nil)
    }
    // What is missing comes in the order of the lines.
    var entries: [String] = []
    values.forEachMissing { entries.append($0.entry) }
    #expect(entries == seen.filter { $0 != 9 }.map { "entities/A/00000.value-\($0)" })
  }
}
