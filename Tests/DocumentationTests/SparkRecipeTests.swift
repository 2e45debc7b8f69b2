internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The recipe for Spark reads the content of the stores, whatever their texts contain.
@Suite struct SparkRecipeTests {
  private static let isPossible =
    PythonPackages.has("pyspark") && ProcessRunner.find("java") != nil

  /// Texts that a reader of CSV easily takes for something else.
  private static let texts = [
    "a \"quoted\", long\ntag", "two\n\nbreaks\n", "\"", "back\\\"slash\\", ",", "'",
    "\"a\",\"b\"\n1,2",
    "return\r\nand feed", "\u{2028}", "{\"json\": 1}",
  ]

  @Test(
    .enabled(if: isPossible, "Python has no PySpark, or Java is not here: a recipe was not run"))
  func everyTextComesBack() throws {
    let page = try MarkdownPage("docs/recipes.md")
    let block = try #require(page.blocks.first { $0.text.contains("from pyspark") }?.text)
    let recipe = try #require(block.firstMatch(of: #/<<'END'\n(?<code>(?s:.*?))\nEND/#)).output.code
    let text = page.lines.map(\.text).joined(separator: " ")
    let reading = try #require(text.firstMatch(of: #/`(?<call>spark\.read\.csv\([^`]*\))`/#)).output
      .call
    let folder = try TemporaryDirectory()
    var expected = try stores(in: folder)
    let code = """
      \(recipe)
      import json
      table = \(reading)
      print(json.dumps([[row.name for row in rows.orderBy("id", tags.columns[-1]).collect()]
                        for rows in (tags, table.withColumn("id", table.id.cast("int")))]))
      """
    var environment = PythonPackages.environment
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    // Short programs are faster without the second compiler.
    environment["PYSPARK_SUBMIT_ARGS"] =
      "--master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=1 "
      + "--conf spark.log.level=ERROR --driver-java-options=-XX:TieredStopAtLevel=1 pyspark-shell"
    let script = "cd '\(folder.path)' && exec python3 -c \"$0\""
    let result = try ProcessRunner("/bin/bash", environment: environment).run(["-c", script, code])
    #expect(result.status == 0, "\(result.errorOutput)")
    let line = try #require(result.output.split(separator: "\n").last)
    let read = try JSONDecoder().decode([[String]].self, from: Data(line.utf8))
    try #require(read.count == 2)
    #expect(read[0] == expected)
    expected = expected.map { $0.replacing("\r\n", with: "\n") }
    #expect(read[1] == expected)
  }

  /// Two stores whose tags have the texts, exported as the recipe does and as CSV; the names of their tags.
  private func stores(in folder: TemporaryDirectory) throws -> [String] {
    let store = folder.file("Trips.sqlite")
    try SampleStore.write(to: store)
    let database = try GeneratorDatabase(path: store)
    try database.run("DELETE FROM ZTAGENTITY")
    for (number, text) in Self.texts.enumerated() {
      let literal = text.replacing("'", with: "''")
      try database.run(
        """
        INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT \(number + 1), Z_ENT, 1, '\(literal)'
        FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'
        """)
    }
    let coffer = ProcessRunner(try BuiltProgram.path())
    func run(_ arguments: String...) throws {
      let result = try coffer.run(arguments + ["--quiet"])
      #expect([0, 3].contains(result.status), "\(result.errorOutput)")
    }
    let (archive, other) = (folder.file("a.coffer.tar.gz"), folder.file("Other.sqlite"))
    try run("export", store, archive)
    try run("import", archive, other, "--store-uuid", "new", "--history", "drop")
    for path in [store, other] {
      try run("tables", "export", path, folder.file("Fleet"), "--partition", "store-uuid")
      try run(
        "tables", "export", path, folder.file("Tables"), "--partition", "store-uuid",
        "--format", "csv")
    }
    return Self.texts.flatMap { [$0, $0] }
  }
}
