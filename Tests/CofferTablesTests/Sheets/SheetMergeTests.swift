internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Tables that are merged into a store.
@Suite struct SheetMergeTests {
  /// A store of two authors and three books, next to an empty folder of tables.
  private func library() throws -> SheetImportTrial {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Author": "email", "Tag": "label"]
    try trial.write(
      "email,born,name\nada@example.org,1815-12-10,Ada\ncharles@example.org,1791-12-26,\n",
      to: "Author.csv")
    try trial.write(
      "title,pages,author,tags\nNotes,66,ada@example.org,maths;steam\n"
        + "Passages,7,charles@example.org,\nSketch,12,ada@example.org,steam\n", to: "Book.csv")
    try trial.write("label\nmaths\nsteam\n", to: "Tag.csv")
    try trial.run()
    for name in ["Author", "Book", "Tag"] {
      try FileManager.default.removeItem(atPath: trial.folder.file("Tables/\(name).csv"))
    }
    return trial
  }

  /// Merges the folder of tables.
  @discardableResult
  private func merge(
    _ trial: SheetImportTrial, _ change: (inout MergeOptions) -> Void = { _ in }
  ) throws -> MergeSummary {
    var options = MergeOptions()
    options.tables.keyNames = ["Author": "email", "Tag": "label"]
    options.naturalKeys = [NaturalKey(entityName: "Book", keyPaths: ["title"])]
    change(&options)
    return try StoreMerger(options: options).merge(
      trial.folder.file("Tables"), into: trial.store)
  }

  private func bytes(_ trial: SheetImportTrial) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: trial.store))
  }

  /// The place of the error of a merge, which must leave the store as it is.
  private func faultyPlace(
    _ trial: SheetImportTrial, _ change: (inout MergeOptions) -> Void = { _ in }
  ) throws -> String {
    let before = try bytes(trial)
    let error = try #require(throws: CofferError.self) { try merge(trial, change) }
    #expect(error.code == .invalidTable, "\(error)")
    #expect(try bytes(trial) == before)
    let name = error.place.path.split(separator: "/").last.map(String.init) ?? ""
    return [name, error.place.item].compactMap(\.self).joined(separator: ", ")
  }

  private let books = """
    SELECT b.ZTITLE, b.ZPAGES, b.ZISOPEN, a.ZEMAIL FROM ZBOOK b LEFT JOIN ZAUTHOR a
    ON a.Z_PK = b.ZAUTHOR ORDER BY b.ZTITLE
    """

  @Test func recordsUpdateWhatTheyMatchAndAddTheRest() throws {
    let trial = try library()
    try trial.write("email,born\nada@example.org,\nmary@example.org,1797-08-30\n", to: "Author.csv")
    try trial.write(
      "title,pages,author\nSketch,13,charles@example.org\nFrankenstein,280,mary@example.org\n",
      to: "Book.csv")
    let summary = try merge(trial)
    #expect(summary.conflicts.count == 0)
    // A column that the tables lack stays, an empty field is no value, and new objects have defaults.
    #expect(
      try trial.rows("SELECT ZEMAIL, ZNAME, ZBORN FROM ZAUTHOR ORDER BY ZEMAIL") == [
        "ada@example.org|Ada|NULL", "charles@example.org|NULL|-6595948800",
        "mary@example.org|nobody|-6416755200",
      ])
    #expect(
      try trial.rows(books) == [
        "Frankenstein|280|1|mary@example.org", "Notes|66|1|ada@example.org",
        "Passages|7|1|charles@example.org", "Sketch|13|1|charles@example.org",
      ])
    #expect(try trial.rows("SELECT count(*) FROM ZTAG") == ["2"])
  }

  @Test func theSameTablesChangeNothingTheSecondTime() throws {
    let trial = try library()
    try trial.write(
      "{\"title\":\"Notes\",\"tags\":[\"steam\",\"maths\"],\"pages\":null}\n"
        + "{\"title\":\"New\",\"author\":\"ada@example.org\"}\n", to: "Book.ndjson")
    let first = try merge(trial)
    #expect(!first.differences.isEqual)
    let before = try bytes(trial)
    let second = try merge(trial)
    #expect(second.differences.isEqual)
    #expect(try bytes(trial) == before)
  }

  @Test func absentMembersStayAndLinksLeadToObjectsOfTheStore() throws {
    let trial = try library()
    try trial.write(
      "{\"title\":\"Notes\",\"author\":\"charles@example.org\"}\n"
        + "{\"title\":\"Passages\",\"pages\":null,\"tags\":[\"maths\"]}\n"
        + "{\"title\":\"Sketch\",\"author\":null}\n", to: "Book.ndjson")
    try merge(trial)
    #expect(
      try trial.rows(books) == [
        "Notes|66|1|charles@example.org", "Passages|NULL|1|charles@example.org",
        "Sketch|12|1|NULL",
      ])
    // Lists add, and remove nothing; no author and no tag is new or changed but by its books.
    #expect(
      try trial.rows(
        """
        SELECT b.ZTITLE, group_concat(t.ZLABEL, ' ') FROM ZBOOK b, ZTAG t, Z_2TAGS p
        WHERE p.Z_2BOOKS = b.Z_PK AND p.Z_5TAGS = t.Z_PK GROUP BY 1 ORDER BY 1
        """) == ["Notes|maths steam", "Passages|maths", "Sketch|steam"])
    #expect(try trial.rows("SELECT count(*), count(ZNAME) FROM ZAUTHOR") == ["2|1"])
  }

  @Test func primaryKeysLeadToTheStoreWhereTablesHaveNoSuchObjects() throws {
    let trial = try library()
    let key = try trial.rows("SELECT Z_PK FROM ZAUTHOR WHERE ZEMAIL = 'charles@example.org'")[0]
    try trial.write("title,author\nNotes,\(key)\n", to: "Book.csv")
    try merge(trial) { $0.tables.keyNames = [:] }
    #expect(try trial.rows(books)[0] == "Notes|66|1|charles@example.org")
  }

  @Test func newObjectsNeedTheirRequiredValues() throws {
    let trial = try library()
    try trial.write("name,passport\nAda,\nBea,\n", to: "Author.csv")
    let place = try faultyPlace(trial) {
      $0.tables.keyNames = [:]
      $0.naturalKeys = [NaturalKey(entityName: "Author", keyPaths: ["name"])]
    }
    #expect(place == "Author.csv, line 3, column email")
  }

  @Test func errorsNameTheirPlace() throws {
    let trial = try library()
    try trial.write("title,pages\nNotes,1\nSketch,many\n", to: "Book.csv")
    #expect(try faultyPlace(trial) == "Book.csv, line 3, column pages")
    try trial.write("title,author\nNotes,\nSketch,eve@example.org\n", to: "Book.csv")
    #expect(try faultyPlace(trial) == "Book.csv, line 3, column author")
    try trial.write("title,pages\nNotes,1\nNotes,2\n", to: "Book.csv")
    #expect(try faultyPlace(trial) == "Book.csv, line 3, column title")
    try trial.write("title,pages\n,1\n", to: "Book.csv")
    #expect(try faultyPlace(trial) == "Book.csv, line 2, column title")
  }

  @Test func aRecordThatMatchesSeveralObjectsIsAnError() throws {
    let trial = try library()
    try GeneratorDatabase(path: trial.store).run(
      "UPDATE ZBOOK SET ZTITLE = 'Notes' WHERE ZTITLE = 'Sketch'")
    try trial.write("title,pages\nNew,1\nPassages,8\nNotes,2\n", to: "Book.csv")
    #expect(try faultyPlace(trial) == "Book.csv, line 4, column title")
    // Objects with the same value stay as long as no record has it.
    try trial.write("title,pages\nNew,1\nPassages,8\n", to: "Book.csv")
    try merge(trial)
    #expect(
      try trial.rows("SELECT ZTITLE, ZPAGES FROM ZBOOK ORDER BY 1, 2")
        == ["New|1", "Notes|12", "Notes|66", "Passages|8"])
  }

  @Test func noCompositeValueIsNoneOfItsElements() throws {
    let trial = try library()
    try trial.write(
      "{\"label\":\"maths\",\"shade\":{\"depth\":2,\"hue\":\"red\"}}\n"
        + "{\"label\":\"steam\",\"shade\":{\"depth\":3}}\n{\"label\":\"trains\",\"shade\":null}\n",
      to: "Tag.ndjson")
    try merge(trial)
    let tags = "SELECT ZLABEL, ZDEPTH, ZHUE FROM ZTAG ORDER BY 1"
    #expect(try trial.rows(tags) == ["maths|2|red", "steam|3|NULL", "trains|NULL|NULL"])
    try trial.write(
      "{\"label\":\"maths\",\"shade\":null}\n{\"label\":\"steam\"}\n"
        + "{\"label\":\"trains\",\"shade\":null,\"shade.hue\":\"blue\"}\n", to: "Tag.ndjson")
    try merge(trial)
    #expect(try trial.rows(tags) == ["maths|NULL|NULL", "steam|3|NULL", "trains|NULL|blue"])
  }

  @Test func aPolicyMakesConflictsOfDifferentValues() throws {
    let trial = try library()
    try trial.write("title,pages\nNotes,1\nOther,2\n", to: "Book.csv")
    let error = try #require(throws: CofferError.self) { try merge(trial) { $0.policy = .error } }
    #expect(error.mergeConflicts.list.map(\.propertyName) == ["pages"])
    try merge(trial) { $0.policy = .mergeByPropertyStoreTrump }
    #expect(try trial.rows("SELECT ZPAGES FROM ZBOOK ORDER BY ZTITLE") == ["66", "2", "7", "12"])
  }

  @Test func optionsOfTablesAreForTables() throws {
    let trial = try library()
    var options = MergeOptions()
    options.tables.keyNames = ["Author": "email"]
    let merger = StoreMerger(options: options)
    let error = try #require(throws: CofferError.self) {
      try merger.merge(trial.store, into: trial.store)
    }
    #expect(error.code == .incompatibleChoices)
  }

  /// Merging a data export into its store changes nothing.
  @Test(arguments: SheetRoundTripTests.stores)
  func anExportChangesNothing(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    let tables = folder.file("Tables")
    let exporter = DataExporter(options: DataExportOptions(format: .csv))
    _ = try exporter.write(path, to: tables)
    var options = MergeOptions()
    options.matchesByObjectID = true
    options.editing.allowsMirrored = true
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
      let summary = try StoreMerger(options: options).merge(tables, into: path)
      #expect(summary.differences.isEqual, "\(summary.differences)")
    } catch let error as CofferError {
      // Only tables of a store with errors are refused.
      var errors = 0
      var verification = VerificationOptions()
      verification.environment = .inPlace
      try Verifier(options: verification).verify(path) {
        if $0.severity == .error { errors += 1 }
      }
      #expect(error.code == .invalidTable && errors > 0, "\(error)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
