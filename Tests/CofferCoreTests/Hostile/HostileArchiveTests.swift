internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Each hostile archive gets its error, and nothing is made, neither at the target nor elsewhere.
@Suite struct HostileArchiveTests {
  private func check(_ hostile: HostileArchive) throws {
    let (folder, path) = try HostileArchive.archive()
    let original = try ArchiveRewriter(path)
    for packing in [ArchiveRewriter.Packing.members, .stockTar] {
      // What a footer says means nothing in a repacked archive, nor where the index stands.
      if packing == .stockTar, hostile.isAboutPlaces { continue }
      var archive = original
      try hostile.change(&archive)
      try archive.write(to: path, packing: packing)
      for piped in [false, true] {
        let error = try HostileArchive.refusal(of: path, in: folder, piped: piped)
        let text = error.map { "\($0.place): \($0.detail) \($0.hint ?? "")" } ?? "it was restored"
        let codes =
          [hostile.code] + (hostile.code == "damaged-archive" ? ["truncated-archive"] : [])
        #expect(codes.contains(error?.code.text ?? "none"), "\(packing), piped \(piped): \(text)")
        #expect(hostile.part.isEmpty || text.contains(hostile.part), "\(text)")
        #expect(text.utf8.count < 4000, "the message is as long as what it is about")
      }
      // A verification may continue where an import does not, but it ends, and never with "sound".
      let findings = errorCode {
        let found = try Verification(of: path).findings
        #expect(!found.isEmpty || !hostile.mustBeFound, "\(packing): nothing was found")
      }
      #expect(findings != "", "\(packing)")
    }
  }

  @Test(arguments: HostileArchive.json) func ofDocuments(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  @Test(arguments: HostileArchive.layouts) func ofLayouts(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  @Test(arguments: HostileArchive.schemas) func ofSchemas(_ hostile: HostileArchive) throws {
    try check(hostile)
    #expect(!FileManager.default.fileExists(atPath: "/tmp/coffer-hostile"))
  }

  @Test(arguments: HostileArchive.lines) func ofLines(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  @Test(arguments: HostileArchive.contents) func ofContents(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  /// Rows are inserted several at a time; the error names the row that cannot be inserted.
  @Test func theOneRowOfManyIsNamed() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    try archive.changeLines(of: HostileArchive.tags) { lines in
      lines = (1...200).map { "{\"$pk\":\($0 == 140 ? 77 : $0),\"$opt\":1,\"name\":\"n\($0)\"}" }
    }
    try archive.write(to: path)
    let error = try #require(try HostileArchive.refusal(of: path, in: folder, piped: false))
    #expect(error.code == .damagedArchive)
    #expect(error.place.entry == HostileArchive.tags)
    #expect(error.place.item == "TagEntity/p77")
    #expect(
      error.detail.contains("line 140 cannot be stored in ZTAGENTITY: another row has its key"))
  }

  /// A statement that the policy refuses is run if its maker is trusted, and is still wrong.
  @Test(arguments: [
    "CREATE INDEX EVIL ON ZTAGENTITY (none_such(ZNAME))",
    "CREATE INDEX EVIL ON ZTAGENTITY (ZNAME COLLATE none_such)",
  ])
  func aTrustedSchemaThatCannotBeRunIsDamaged(_ sql: String) throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    try HostileArchive.statement("index", sql).change(&archive)
    try archive.write(to: path)
    var options = ImportOptions()
    options.trustsSchema = true
    let target = folder.file("inner/Copy.sqlite")
    let error = #expect(throws: CofferError.self) {
      try StoreImporter(options: options).import(path, to: target)
    }
    #expect(error?.code == .damagedArchive)
    #expect(error?.place.item == "index EVIL")
    #expect(error?.place.entry == HostileArchive.schema)
  }

  /// Too many findings of a kind are only counted.
  @Test func findingsBeyondTheLimitAreCounted() throws {
    let (folder, path) = try HostileArchive.archive()
    defer { withExtendedLifetime(folder) {} }
    var archive = try ArchiveRewriter(path)
    try archive.changeLines(of: HostileArchive.tags) {
      $0 += Array(repeating: "{}", count: 30) + Array(repeating: "[]", count: 5)
    }
    try archive.write(to: path)
    var options = VerificationOptions()
    options.environment.limits.findings = 10
    var found: [Finding] = []
    let summary = try Verifier(options: options).verify(path) { found.append($0) }
    let lines = found.filter { $0.code == .archiveInvalidLine }
    #expect(lines.count == 11)
    #expect(lines.map(\.multiplicity).reduce(0, +) == 35)
    #expect(lines.last?.detail == "and 25 more, which are only counted")
    #expect(lines.last?.entityName == "TagEntity")
    #expect(
      summary.count(of: .error)
        == found.filter { $0.severity == .error }
        .reduce(0) { $0 + $1.multiplicity })
  }

  @Test(arguments: HostileArchive.files) func ofFiles(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  @Test(arguments: HostileArchive.indexes) func ofIndexes(_ hostile: HostileArchive) throws {
    try check(hostile)
  }

  /// Names are data: any name ends up in its place.
  @Test(arguments: [
    "\\\"; DROP TABLE ZTAGENTITY; --", "../../x", "/etc/passwd", "", "$pk", "sqlite_master",
    "a\\u0000b", String(repeating: "n", count: 1 << 20),
  ])
  func hostileNamesOfEntitiesAreNamesOnly(_ name: String) throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    for entry in ["model.json", "store/layout.json", "manifest.json"] {
      try archive.changeText(of: entry) {
        $0 = $0.replacing("\"TagEntity\"", with: "\"\(name)\"")
      }
    }
    try archive.write(to: path)
    let copy = folder.file("inner/Copy.sqlite")
    try StoreImporter().import(path, to: copy)
    #expect(
      try SampleCopy.rows(copy, "SELECT count(*) FROM ZTAGENTITY")
        == SampleCopy.rows(copy, "SELECT max(Z_PK) FROM ZTAGENTITY"))
    let names = try folder.contents().filter { !$0.hasPrefix("inner/.Copy_SUPPORT/") }
    #expect(names == ["inner/", "inner/Copy.sqlite", "inner/Store.coffer.tar.gz"])
  }

  @Test(arguments: [Int64.max, .min, 0, -1])
  func primaryKeysMayHaveEveryValue(_ key: Int64) throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    try archive.changeLines(of: HostileArchive.tags) { lines in
      let line = "{\"$pk\":\(key),\"$opt\":\(Int64.max),\"name\":\"edge\"}"
      lines.insert(line, at: key > 0 ? lines.count : 0)
    }
    try archive.write(to: path)
    let copy = folder.file("inner/Copy.sqlite")
    try StoreImporter().import(path, to: copy)
    #expect(
      try SampleCopy.rows(copy, "SELECT Z_PK, Z_OPT FROM ZTAGENTITY WHERE ZNAME = 'edge'")
        == [[.integer(key), .integer(.max)]])
  }

  @Test func rowsThatTheIndexDoesNotCountAreReported() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    try archive.changeLines(of: HostileArchive.tags) { $0.removeLast() }
    try archive.write(to: path, recomputing: [.digests, .sizes, .places, .rootDigest])
    var importer = StoreImporter()
    let found = try importer.import(path, to: folder.file("inner/Copy.sqlite")).findings
    #expect(found.map(\.code).contains(.archiveCountMismatch))
    importer.options.isStrict = true
    #expect(throws: CofferError.self) {
      try importer.import(path, to: folder.file("inner/Strict.sqlite"))
    }
  }

  @Test func linesOfNoTableAreDamage() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    let position = try archive.position(of: HostileArchive.tags)
    archive.entries[position].name = "entities/Nothing/00000.ndjson"
    try archive.write(to: path)
    let error = try #require(throws: CofferError.self) {
      try StoreImporter().import(path, to: folder.file("inner/Copy.sqlite"))
    }
    #expect(error.code == .damagedArchive)
    #expect(error.detail == "no table of the layout has its folder")
  }

  @Test func billionsOfRowsInTheIndexAreOnlyANumber() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    for position in archive.records.indices {
      if archive.records[position].attributes.rows != nil {
        archive.records[position].attributes.rows = (1 << 53) - 1
      }
      for number in archive.records[position].attributes.objects.indices {
        archive.records[position].attributes.objects[number].count = (1 << 53) - 1
      }
    }
    try archive.write(to: path, recomputing: [.digests, .sizes, .places, .rootDigest])
    try StoreImporter().import(path, to: folder.file("inner/Copy.sqlite"))
    let codes = Set(try Verification(of: path).findings.map(\.code))
    #expect(codes == [.archiveCountMismatch])
    #expect(throws: Never.self) { try StoreInspector().inspect(path) }
  }

  /// On a case-sensitive file system, these are files like any others.
  @Test func namesThatDifferInCaseOrCompositionAreKeptApartOrRefused() throws {
    let (folder, path) = try HostileArchive.archive()
    var archive = try ArchiveRewriter(path)
    for name in ["support/readme", "support/README", "support/Copy%2Esqlite"] {
      try archive.insert(.init(name, text: name), at: archive.entries.count)
    }
    try archive.write(to: path)
    let copy = folder.file("inner/Copy.sqlite")
    let code = errorCode { try StoreImporter().import(path, to: copy) }
    let names = try folder.contents()
    if code == nil {
      for name in ["readme", "README", "Copy.sqlite"] {
        #expect(names.contains("inner/.Copy_SUPPORT/\(name)"))
      }
      #expect(try SampleCopy.rows(copy, "SELECT count(*) > 0 FROM ZTAGENTITY") == [[.integer(1)]])
    } else {
      #expect(code == "write-failed")
      #expect(names == ["inner/", "inner/Store.coffer.tar.gz"])
    }
  }
}

extension HostileArchive {
  /// Whether it concerns the positions of entries, which only an unpacked archive shows.
  var isAboutPlaces: Bool {
    description.contains("footer") || description.contains("offset")
      || description.contains("in the middle") || description.contains("beyond all numbers")
      || description.contains("index: a size")
  }

  /// Whether a verification must notice it.
  ///
  /// It makes no files, so names that only collide on a disk say nothing to it.
  var mustBeFound: Bool {
    !description.contains("in the place of a")
  }
}
