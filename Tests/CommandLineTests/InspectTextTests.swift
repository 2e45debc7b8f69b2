internal import Foundation
internal import TestSupport
internal import Testing

/// `coffer inspect` as text: the counts first, and the rest behind `--verbose`.
@Suite struct InspectTextTests {
  private func lines(_ sandbox: Sandbox, _ words: String...) throws -> [String] {
    let result = try sandbox.run(["inspect"] + words)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput == "")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The numbers and names in the table of counts.
  private func counts(_ lines: [String]) throws -> [(count: Int, name: String)] {
    let header = try #require(lines.firstIndex { $0.hasSuffix("objects  entity") })
    return lines[(header + 1)...].prefix { $0 != "" }.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2, let count = Int(parts[0].replacingOccurrences(of: ",", with: ""))
      else { return nil }
      return (count, parts[1].trimmingCharacters(in: .whitespaces))
    }
  }

  @Test func countsComeFirstAndTheLargestIsAtTheTop() throws {
    let sandbox = try Sandbox()
    let lines = try lines(sandbox, "Todo.sqlite")
    #expect(lines.first?.hasSuffix("Todo.sqlite: store") == true)
    #expect(lines[2].hasSuffix("objects  entity"))
    #expect(lines.count < 30)
    let counts = try counts(lines)
    let total = try #require(counts.last)
    #expect(total.name == "in all" && total.count == 37)
    let entities = counts.dropLast().filter { $0.count > 0 }
    #expect(entities.reduce(0) { $0 + $1.count } == 37)
    #expect(entities.map(\.count) == entities.map(\.count).sorted(by: >))
    let text = lines.joined(separator: "\n")
    for name in ["size", "model", "framework", "store UUID", "history", "external data"] {
      #expect(text.contains("\n  \(name)  "), "\(name)")
    }
    #expect(text.contains("'coffer verify' finds defects"))
    // No property, and no key of the metadata.
    #expect(!text.contains("to-many") && !text.contains("AppSettings"))
    let values = try self.lines(sandbox, "Todo.sqlite", "--values").joined(separator: "\n")
    #expect(values.contains("\nMetadata of the app\n") && values.contains("AppSettings"))
  }

  @Test func theVerboseFormHasEverything() throws {
    let sandbox = try Sandbox()
    let short = try lines(sandbox, "Todo.sqlite")
    let long = try lines(sandbox, "Todo.sqlite", "--verbose")
    #expect(try lines(sandbox, "Todo.sqlite", "-v") == long)
    #expect(Array(long.prefix(12)) == Array(short.prefix(12)))
    let text = long.joined(separator: "\n")
    #expect(text.contains("\nTodoEntity: ItemEntity  "))
    #expect(text.contains("to-many, ordered, optional, inverse"))
    for title in [
      "Many-to-many relationships", "Metadata of the app", "Persistent history", "External data",
    ] { #expect(text.contains("\n\(title)\n"), "\(title)") }
    #expect(
      try sandbox.coffer("inspect", "Todo.sqlite", "--json").output
        == sandbox.coffer("inspect", "Todo.sqlite", "--json", "--verbose").output)
  }

  @Test func anArchiveTellsItsDigests() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "-q", "Todo.sqlite", "a").status == 0)
    let text = try lines(sandbox, "a").joined(separator: "\n")
    #expect(text.hasPrefix("a: archive\n\n"))
    #expect(text.contains("uncompressed\n") && text.contains("\n  content digest  "))
    #expect(text.contains("\n       37  in all\n"))
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func aModelOfManyEntitiesFitsOnAScreen() throws {
    let photos = try #require(RealStores.all.first { $0.name.contains("13.0.1") })
    let directory = try TemporaryDirectory()
    let path = try RealStores.copy(photos, to: directory)
    let sandbox = try Sandbox()
    let short = try lines(sandbox, path)
    #expect(short.count < 60)
    let counts = try counts(short)
    #expect(counts.first.map { "\($0.count) \($0.name)" } == "34 FetchingAlbum")
    #expect(counts.last?.count == 69)
    #expect(counts.contains { $0.count == 0 && $0.name == "in 45 other entities" })
    #expect(try lines(sandbox, path, "--verbose").count > 1000)
  }
}
