internal import Foundation
internal import TestSupport
internal import Testing

/// The recipe that migrates a store of each version gives the known results for real models.
@Suite(
  .enabled(if: RealStores.isAvailable, "needs COFFER_REAL_STORES"),
  .enabled(if: ProcessRunner.find("jq") != nil, "jq is not installed"))
struct MigrationRecipeTests {
  /// Runs the recipe for a model; its status, and the reports by version.
  private func run(_ model: String) throws -> (status: Int32, reports: [String: String]) {
    let block = try #require(
      MarkdownPage("docs/recipes.md").blocks.first { $0.text.contains("versions.txt") })
    let path = try #require(RealStores.folder) + "/" + model
    let script = block.text.replacing("model=Trips.xcdatamodeld", with: "model='\(path)'")
    try #require(script != block.text)
    let folder = try TemporaryDirectory()
    var environment = ProcessInfo.processInfo.environment
    let program = URL(fileURLWithPath: try BuiltProgram.path()).deletingLastPathComponent().path
    environment["PATH"] = "\(program):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["TMPDIR"] = folder.path
    let result = try ProcessRunner("/bin/bash", environment: environment).run(
      ["-c", "cd '\(folder.path)'\n\(script)"])
    var reports: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("reports")) {
      reports[String(name.dropLast(4))] = try String(
        contentsOfFile: folder.file("reports/\(name)"), encoding: .utf8)
    }
    return (result.status, reports)
  }

  /// A source has no version hashes, so neither have the stores; nothing else is wrong with them.
  @Test func allVersionsOfASourceMigrate() throws {
    let (status, reports) = try run("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld")
    #expect(status == 0)
    #expect(reports.keys.sorted() == ["Moody"] + (2...6).map { "Moody \($0)" })
    for (version, report) in reports {
      #expect(report.contains("failures=\"0\" errors=\"0\""), "\(version): \(report)")
    }
  }

  @Test func aVersionThatCannotBeMigratedFails() throws {
    let (status, reports) = try run(
      "kasianov-mikhail+scout/Sources/Scout/Persistence/ScoutModel.xcdatamodeld")
    #expect(status == 1)
    let failed = reports.filter { $0.value.contains("errors=\"1\"") }
    #expect(failed.keys.sorted() == ["ScoutModel", "ScoutModel 2", "ScoutModel 3"])
    #expect(reports.count == 4)
  }
}
