internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Tables of other systems: their objects, and the places of their errors.
@Suite struct SheetImportTests {
  /// A trial with three authors and their books, which refer to each other by values.
  private func library() throws -> SheetImportTrial {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Author": "email", "Tag": "label"]
    try trial.write(
      """
      email,born,passport.number
      ada@example.org,1815-12-10,P1
      charles@example.org,1791-12-26T00:00:00+01:00,
      mary@example.org,,

      """, to: "Author.csv")
    try trial.write(
      """
      title,pages,price,author,tags,mark,isOpen
      "Notes, on ""engines"" of 1842",66,12.50,ada@example.org,maths;steam,E621E1F8-C36C-495A-93FC-0C247A3E6E5F,false
      Passages,,0.1,charles@example.org,,,
      Sketch,12,3,ada@example.org,steam,,1

      """, to: "Book.csv")
    try trial.write("{\"label\": \"steam\"}\n\n{\"label\": \"maths\"}\n", to: "Tag.ndjson")
    try trial.write("number\r\nP1\r\n", to: "Passport.csv")
    return trial
  }

  @Test func referencesByKeysLeadToTheirObjects() throws {
    let trial = try library()
    try trial.write(
      "{\"title\":\"Frankenstein\",\"genre\":\"horror\",\"author\":\"mary@example.org\"}",
      to: "Novel.ndjson")
    let summary = try trial.run()
    #expect(summary.objectCount == 10)
    #expect(summary.findings == [])
    #expect(
      try trial.rows(
        """
        SELECT b.ZTITLE, b.ZPAGES, b.ZPRICE, a.ZEMAIL, b.Z_FOK_AUTHOR, b.ZISOPEN, b.ZGENRE
        FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR ORDER BY b.ZTITLE
        """) == [
          "Frankenstein|NULL|NULL|mary@example.org|2048|1|horror",
          "Notes, on \"engines\" of 1842|66|12.5|ada@example.org|2048|0|NULL",
          "Passages|NULL|0.1|charles@example.org|2048|NULL|NULL",
          "Sketch|12|3|ada@example.org|3072|1|NULL",
        ])
    #expect(
      try trial.rows("SELECT hex(ZMARK) FROM ZBOOK WHERE ZMARK NOT NULL") == [
        "E621E1F8C36C495A93FC0C247A3E6E5F"
      ])
  }

  @Test func listsKeepTheirOrderAndFillTheOtherSide() throws {
    let trial = try library()
    try trial.run()
    #expect(
      try trial.rows(
        """
        SELECT b.ZTITLE, t.ZLABEL, p.Z_FOK_5TAGS FROM Z_2TAGS p JOIN ZBOOK b ON b.Z_PK = p.Z_2BOOKS
        JOIN ZTAG t ON t.Z_PK = p.Z_5TAGS ORDER BY b.ZTITLE, 3
        """) == [
          "Notes, on \"engines\" of 1842|maths|2048", "Notes, on \"engines\" of 1842|steam|3072",
          "Sketch|steam|2048",
        ])
  }

  @Test func theOtherSideOfAOneToOneRelationshipFollows() throws {
    let trial = try library()
    try trial.run()
    #expect(
      try trial.rows(
        "SELECT a.ZEMAIL FROM ZPASSPORT p JOIN ZAUTHOR a ON a.Z_PK = p.ZHOLDER AND a.ZPASSPORT = p.Z_PK"
      )
        == ["ada@example.org"])
  }

  @Test func datesHaveTheirZonesAndDefaultsFillMissingColumns() throws {
    let trial = try library()
    try trial.run()
    #expect(
      try trial.rows("SELECT ZEMAIL, CAST(ZBORN AS INTEGER), ZNAME FROM ZAUTHOR ORDER BY 1") == [
        "ada@example.org|-5840035200|nobody", "charles@example.org|-6595952400|nobody",
        "mary@example.org|NULL|nobody",
      ])
  }

  /// Otherwise, one line of JSON that is read as CSV would make an empty store.
  @Test func columnsOfATableWithoutRecordsAreChecked() throws {
    let trial = try SheetImportTrial()
    try trial.write("email,born,books,passport.number\n", to: "Author.csv")
    try trial.write("{\"label\":\"steam\"}\n", to: "Tag.csv")
    #expect(try trial.failure().place.path.hasSuffix("Tag.csv"))
    try trial.write("label,books\n", to: "Tag.csv")
    #expect(try trial.run().objectCount == 0)
  }

  @Test func aKeyThatNoTableHasIsRefused() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Tag": "lable"]
    trial.options.tables.duplicatePolicy = .first
    try trial.write("label\nsteam\nsteam\n", to: "Tag.csv")
    #expect(try trial.failure().detail.contains("lable"))
    trial.options.tables.keyNames = ["Tag": "label"]
    try trial.run()
    #expect(try trial.rows("SELECT count(*) FROM ZTAG") == ["1"])
  }

  @Test func listsOfKeysFillTheReferencesOfTheirMembers() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Book": "nr"]
    try trial.write(
      "{\"email\":\"a@b.c\",\"books\":[7,\"x\",5]}\n{\"email\":\"d@e.f\"}", to: "Author.ndjson")
    try trial.write("nr,title\n5,Five\n7,Seven\nx,Ten\n", to: "Book.csv")
    try trial.run()
    #expect(
      try trial.rows("SELECT ZTITLE FROM ZBOOK WHERE ZAUTHOR = 1 ORDER BY Z_FOK_AUTHOR")
        == ["Seven", "Ten", "Five"])
  }

  @Test func filesBecomeExternalData() throws {
    let trial = try SheetImportTrial()
    try trial.write("title,cover,cover.file\nA,,pictures/a.png\nB,UE5H,\n", to: "Book.csv")
    try FileManager.default.createDirectory(
      atPath: trial.folder.file("Tables/pictures"), withIntermediateDirectories: true)
    try trial.write("picture", to: "pictures/a.png")
    let summary = try trial.run()
    #expect(summary.externalFileCount == 1)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: trial.folder.file(".New_SUPPORT/_EXTERNAL_DATA"))
    #expect(
      try trial.rows("SELECT CAST(substr(ZCOVER, 2) AS TEXT) FROM ZBOOK WHERE ZTITLE = 'A'")
        .map { String($0.prefix(36)) } == files)
    #expect(try trial.rows("SELECT hex(ZCOVER) FROM ZBOOK WHERE ZTITLE = 'B'") == ["01504E47"])
  }

  /// A value in the table and one in a file, in any order.
  @Test(arguments: [
    ("cover,cover.file\nUE5H,a.png", "cover.file"), ("cover.file,cover\na.png,UE5H", "cover"),
  ])
  func aPropertyHasOneValue(_ text: String, _ column: String) throws {
    let trial = try SheetImportTrial()
    let lines = text.split(separator: "\n")
    try trial.write("title,\(lines[0])\nA,\(lines[1])\n", to: "Book.csv")
    try trial.write("picture", to: "a.png")
    #expect(try trial.faultyPlace() == "Book.csv, line 2, column \(column)")
    #expect(try trial.failure().detail.hasSuffix("the property has two values"))
  }

  @Test func aDatabaseHasTablesToo() throws {
    let trial = try SheetImportTrial()
    let database = try GeneratorDatabase(path: trial.folder.file("Tables/Data.sqlite"))
    for statement in [
      "CREATE TABLE Book (id INTEGER PRIMARY KEY, title TEXT, weight REAL, genre TEXT, entity TEXT, "
        + "pages INTEGER AS (id * 2))",
      "INSERT INTO Book VALUES (3, 'Three', 0.5, NULL, 'Book'), (9, 'Nine', 1, 'lyric', 'Novel')",
    ] { try database.run(statement) }
    try trial.run()
    #expect(
      try trial.rows("SELECT Z_PK, Z_ENT, ZTITLE, ZWEIGHT, ZGENRE, ZPAGES FROM ZBOOK")
        == ["3|2|Three|0.5|NULL|6", "9|3|Nine|1.0|lyric|18"])
    #expect(try trial.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == ["9"])
  }

  @Test(
    arguments: [
      ("Book.csv", "title,pages\nA,1\n\"B\n2\",many\n", "Book.csv, line 3, column pages"),
      ("Book.csv", "title,pages\nA,40000\n", "Book.csv, line 2, column pages"),
      ("Book.csv", "title,pages\nA\n", "Book.csv, line 2"),
      ("Book.csv", "title,pages\n\"A,1\n", "Book.csv, line 2, column title"),
      ("Book.csv", "pages\n1\n", "Book.csv, line 2, column title"),
      ("Book.csv", "title,page\nA,1\n", "Book.csv, line 1, column page"),
      ("Book.csv", "title,author\nA,7\n", "Book.csv, line 2, column author"),
      ("Book.csv", "title,author.email\nA,x@y.z\n", "Book.csv, line 2, column author"),
      ("Book.csv", "id,title\n4,A\n4,B\n", "Book.csv, line 3, column id"),
      ("Book.csv", "title,price\nA,1234567890.12345678901\n", "Book.csv, line 2, column price"),
      ("Book.csv", "title,mark\nA,none\n", "Book.csv, line 2, column mark"),
      ("Book.csv", "title,cover\nA,?\n", "Book.csv, line 2, column cover"),
      ("Book.csv", "title,cover.file\nA,../../x\n", "Book.csv, line 2, column cover.file"),
      ("Book.csv", "title,isOpen\nA,perhaps\n", "Book.csv, line 2, column isOpen"),
      ("Book.csv", "title,weight\nA,heavy\n", "Book.csv, line 2, column weight"),
      ("Author.csv", "email,born\nA,1.2.2024\n", "Author.csv, line 2, column born"),
      ("Author.csv", "email\nA\nB\nA\n", "Author.csv, line 4, column email"),
      (
        "Author.ndjson", "{\"email\":\"A\"}\n{\"email\":7}\n", "Author.ndjson, line 2, column email"
      ),
      ("Author.ndjson", "{\"email\":\"A\"}\n{\"email\":\"B\",}\n", "Author.ndjson, line 2"),
      ("Author.ndjson", "{\"email\":\"A\",\"books\":[3]}\n", "Author.ndjson, line 1, column books"),
      ("Nobody.csv", "a\n1\n", "Nobody.csv"),
      ("Book.csv", "", "Book.csv"),
      ("Author.books.csv", "source,destination\n1,1\n", "Author.books.csv"),
    ])
  func whatIsWrongIsNamedAndNothingIsWritten(_ name: String, _ text: String, _ place: String) throws
  {
    let trial = try SheetImportTrial()
    try trial.write(text, to: name)
    #expect(try trial.faultyPlace() == place)
  }

  @Test func aByteOrderMarkIsPassedOver() throws {
    let trial = try SheetImportTrial()
    try trial.write("\u{FEFF}{\"label\":\"a\"}\n", to: "Tag.ndjson")
    try trial.run()
    #expect(try trial.rows("SELECT ZLABEL FROM ZTAG") == ["a"])
  }

  @Test func aNumberOutOfRangeIsCalledThat() throws {
    let trial = try SheetImportTrial()
    try trial.write("{\"title\":\"A\",\"weight\":1e400}\n", to: "Book.ndjson")
    #expect(try trial.failure().detail.hasPrefix("a number is out of range"))
  }

  /// A linked file, a file in a linked folder, and a linked table.
  @Test(arguments: ["link", "d/secret", "Tag.csv"])
  func linksInTheFolderOfTablesAreNotFollowed(_ name: String) throws {
    let trial = try SheetImportTrial()
    try trial.write("title,cover.file\nA,\(name)\n", to: "Book.csv")
    let elsewhere = try TemporaryDirectory()
    let outside = elsewhere.path
    _ = try elsewhere.write("label\nx\n".utf8, to: "secret")
    let first = name.split(separator: "/")[0]
    try FileManager.default.createSymbolicLink(
      atPath: trial.folder.file("Tables/\(first)"),
      withDestinationPath: name.hasPrefix("d/") ? outside : "\(outside)/secret")
    let place = name == "Tag.csv" ? name : "Book.csv, line 2, column cover.file"
    #expect(try trial.faultyPlace() == place)
    #expect(try trial.failure().detail.contains("link"))
  }

  @Test(arguments: [
    ("UTF-16", String.Encoding.utf16), ("UTF-16", .utf16LittleEndian), ("UTF-16", .utf16BigEndian),
    ("UTF-32", .utf32),
  ])
  func anotherEncodingIsRefusedByName(_ name: String, _ encoding: String.Encoding) throws {
    for (file, text) in [
      ("Book.csv", "title,pages\nA,1\n"), ("Author.ndjson", "{\"email\":\"A\"}\n"),
    ] {
      let trial = try SheetImportTrial()
      let bytes = try #require(text.data(using: encoding))
      try bytes.write(to: URL(fileURLWithPath: trial.folder.file("Tables/" + file)))
      let error = #expect(throws: CofferError.self) { try trial.run() }
      #expect(error?.code == .invalidTable)
      #expect(error?.detail == "it is in \(name), and tables are in UTF-8")
    }
  }

  @Test func aDateHasTheGivenForm() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.dateFormat = Instant.Format("%d.%m.%Y %H:%M:%S.%f%z")
    try trial.write("email,born\na,1.2.2001 00:00:01.25+01:00\n", to: "Author.csv")
    try trial.run()
    #expect(try trial.rows("SELECT ZBORN FROM ZAUTHOR") == ["\(31 * 86_400 - 3600 + 1).25"])
    #expect(Instant.Format("%d.%m") == nil)
    #expect(Instant.Format("%s %z")?.read("978307200 +0200") == .integer(0))
  }

  @Test(
    arguments: [
      (SheetOptions.DuplicatePolicy.first, "Ann|1"), (.last, "NULL|3"), (.merge, "Bea|1"),
    ])
  func duplicatesFollowThePolicy(_ policy: SheetOptions.DuplicatePolicy, _ expected: String)
    throws
  {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Author": "email"]
    trial.options.tables.duplicatePolicy = policy
    try trial.write("email,name\na,Ann\na,Bea\na,\nb,Cleo\n", to: "Author.csv")
    try trial.write("title,author\nX,a\n", to: "Book.csv")
    try trial.run()
    #expect(
      try trial.rows(
        "SELECT a.ZNAME, a.Z_PK FROM ZBOOK b JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR") == [expected])
    #expect(try trial.rows("SELECT count(*) FROM ZAUTHOR") == ["2"])
  }

  @Test func aValueThatFailsAValidationIsAWarning() throws {
    let trial = try SheetImportTrial()
    try trial.write("title,pages\nA,0\n", to: "Book.csv")
    #expect(try trial.run().findings.map(\.code) == [.invalidValue])
  }

  @Test func aFileOfAnotherNameIsMapped() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.files = ["Author": "people.csv"]
    try trial.write("email\na\n", to: "people.csv")
    #expect(try trial.run().tables.map(\.entityName) == ["Author"])
  }
}
