internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Every command in the documentation can be run unchanged, and prints the documented output.
@Suite(
  .enabled(
    if: ["sqlite3", "jq", "bash", "tar", "make"].allSatisfy { ProcessRunner.find($0) != nil },
    "sqlite3, jq, bash, tar or make is not installed"))
struct DocumentedCommandTests {
  private static let resources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Commands").path

  /// The folder that every block gets a copy of.
  private static let template = Result { try prepared() }

  @Test(arguments: try Repository.pages().flatMap(CommandBlock.blocks).filter(hasServices))
  func worksAsItStands(_ block: CommandBlock) throws {
    let folder = try TemporaryDirectory()
    let root = folder.file("root")
    try FileManager.default.copyItem(atPath: Self.template.get().path, toPath: root)
    let script = Self.script(block)
    for name in Self.written(by: script) {
      try? FileManager.default.removeItem(atPath: "\(root)/home/\(name)")
    }
    let result = try Self.run(script, in: root)
    let failures = try? String(contentsOfFile: "\(root)/failures", encoding: .utf8)
    #expect(failures == nil, "\(failures ?? "")\(result.errorOutput)")
    #expect(!result.output.contains("Error: "), "\(result.output)")
    let outputs = result.output.components(separatedBy: "@@next@@\n").dropFirst()
    try #require(outputs.count == block.steps.count, "\(result.output)\(result.errorOutput)")
    for (step, output) in zip(block.steps, outputs) {
      let lines = output.split(separator: "\n").map(String.init)
      let isShown = Self.isShown(step.output.filter { !$0.isEmpty }[...], in: lines[...])
      #expect(isShown, "\(step.command) says:\n\(output)")
    }
  }

  /// Whether the services that a block speaks to are here; the tests of places say if they are not.
  private static func hasServices(_ block: CommandBlock) -> Bool {
    let text = block.preparation + block.steps.map(\.command).joined()
    return (S3Server.shared != nil || !text.contains("s3://"))
      && (ProcessRunner.find("rclone") != nil || !text.contains("rclone:"))
      && (hasDuckDB || !text.contains("import duckdb"))
      // It takes ten seconds to start, so it is started once: by SparkRecipeTests.
      && !text.contains("from pyspark")
  }

  /// Whether Python has DuckDB (`pip install duckdb`).
  private static let hasDuckDB = PythonPackages.has("duckdb")

  @Test(.enabled(if: hasDuckDB, "Python has no DuckDB: a recipe was not run"))
  func recipesWithDuckDBAreRun() {}

  @Test func thereAreCommandsToRun() throws {
    let places = try Repository.pages().flatMap(CommandBlock.blocks).map(\.place)
    #expect(places.count > 40)
    #expect(Set(places).count == places.count)
  }

  /// Whether the lines of a page equal the output; `…` matches any lines.
  private static func isShown(_ lines: ArraySlice<String>, in output: ArraySlice<String>) -> Bool {
    guard let first = lines.first else { return true }
    if first != "…" {
      return output.first.map { $0.trimmingCharacters(in: .whitespaces) }
        == first.trimmingCharacters(in: .whitespaces)
        && (lines.count > 1 || output.count == 1)
        && isShown(lines.dropFirst(), in: output.dropFirst())
    }
    let rest = lines.dropFirst()
    return rest.isEmpty || output.indices.contains { isShown(rest, in: output[$0...]) }
  }

  /// The commands as a script that notes which of them failed; 3 is an answer, not a failure.
  private static func script(_ block: CommandBlock) -> String {
    var script = """
      cd "$ROOT/home"
      \(block.preparation)
      set -E
      trap 'status=$?; [ $status = 3 ] || echo "$status: $BASH_COMMAND" >> "$ROOT/failures"' ERR
      exec 2>&1

      """
    for step in block.steps { script += "echo @@next@@\n\(step.command)\n" }
    return script.replacing(#/(?<space>[\s="])(?<place>\/(?:srv|backup|usr\/local)\b)/#) {
      "\($0.output.space)$ROOT\($0.output.place)"
    }
  }

  /// The names that an export writes before anything else speaks of them, and that must not exist.
  private static func written(by script: String) -> [String] {
    var names: [String] = []
    for match in script.matches(of: /coffer export [^|\n]*?(\w+\.coffer\.tar\.gz(?:\.age)?)/) {
      let name = String(match.output.1)
      if script.range(of: name)?.lowerBound == match.output.1.startIndex { names.append(name) }
    }
    return names
  }

  private static func prepared() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory.untilExit()
    try FileManager.default.createDirectory(
      atPath: folder.file("home"), withIntermediateDirectories: true)
    try SampleStore.write(to: folder.file("home/Sample.sqlite"))
    let script = try String(contentsOfFile: "\(resources)/prepare.sh", encoding: .utf8)
    let result = try run(script, in: folder.path)
    try #require(result.status == 0, "\(result.output)\(result.errorOutput)")
    return folder
  }

  /// The profile `nightly` of a bucket, and the remote `nas` of rclone, which is a folder.
  private static func services(_ root: String) -> [String: String] {
    var environment = S3Server.shared?.environment() ?? [:]
    environment["HOME"] = nil
    environment["AWS_SHARED_CREDENTIALS_FILE"] = "\(root)/credentials"
    environment["RCLONE_CONFIG"] = "/dev/null"
    environment["RCLONE_CONFIG_NAS_TYPE"] = "alias"
    environment["RCLONE_CONFIG_NAS_REMOTE"] = "\(root)/nas"
    return environment
  }

  private static func run(_ script: String, in root: String) throws -> ProcessResult {
    let program = try BuiltProgram.path()
    var environment = PythonPackages.environment
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
    environment["PATH"] = "\(resources)/bin:\(folder):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["ROOT"] = root
    environment["REPOSITORY"] = Repository.root.path
    environment.merge(services(root)) { $1 }
    return try ProcessRunner("/bin/bash", environment: environment).run(["-c", script])
  }
}
