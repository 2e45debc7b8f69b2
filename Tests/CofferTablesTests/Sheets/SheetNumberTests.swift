internal import CofferKit
internal import TestSupport
internal import Testing

/// Numbers of tables that a store cannot keep as they are written, and what separates keys and records.
@Suite struct SheetNumberTests {
  /// A double has other digits than each of these.
  @Test(arguments: [
    "\"reads\":1234567890123456789.0", "\"reads\":9007199254740993e0",
    "\"price\":0.12345678901234567890", "\"price\":\"0.12345678901234567890\"",
    "\"rating\":1e39", "\"rating\":-3.5e38",
  ])
  func aNumberThatWouldBecomeAnotherOneIsRefused(_ member: String) throws {
    let trial = try SheetImportTrial()
    try trial.write("{\"title\":\"A\",\(member)}\n", to: "Book.ndjson")
    let error = try trial.failure()
    #expect(error.code == .invalidTable)
    #expect(error.description.contains("line 1"))
  }

  @Test func numbersWithManyDigitsAreKeptWhereADoubleHasThem() throws {
    let trial = try SheetImportTrial()
    try trial.write(
      """
      {"title":"A","reads":1000000000000000000.0,"price":0.30000000000000004,"weight":0.12345678901234567890}
      """, to: "Book.ndjson")
    try trial.run()
    #expect(
      try trial.rows(
        "SELECT ZREADS, ZPRICE = 0.30000000000000004, ZWEIGHT = 0.12345678901234568 FROM ZBOOK")
        == ["1000000000000000000|1|1"])
  }

  @Test func aKeyWithASemicolonIsNoListOfKeys() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Tag": "label"]
    try trial.write("label\n\"a;b\"\na\nb\n", to: "Tag.csv")
    try trial.write("title,tags\nA,a;b\n", to: "Book.csv")
    let error = try trial.failure()
    #expect(error.code == .invalidTable)
    #expect(error.detail.contains("semicolon"))
  }

  @Test func anArrayNamesAKeyWithASemicolon() throws {
    var trial = try SheetImportTrial()
    trial.options.tables.keyNames = ["Tag": "label"]
    try trial.write("label\n\"a;b\"\na\nb\n", to: "Tag.csv")
    try trial.write("{\"title\":\"A\",\"tags\":[\"a;b\"]}\n", to: "Book.ndjson")
    try trial.run()
    #expect(
      try trial.rows("SELECT t.ZLABEL FROM Z_2TAGS p JOIN ZTAG t ON t.Z_PK = p.Z_5TAGS") == ["a;b"])
  }

  @Test(arguments: ["label\na\n\n\n", "label\r\n\r\na\r\n", "label\n\na\n"])
  func linesWithoutAnythingAreNoObjects(_ text: String) throws {
    let trial = try SheetImportTrial()
    try trial.write(text, to: "Tag.csv")
    #expect(try trial.run().objectCount == 1)
  }
}
