internal import CofferKit
internal import Foundation
internal import Testing

/// Everything that people and scripts can meet is described: commands, options, statuses, codes, findings.
@Suite struct ReferenceTests {
  @Test func everyCommandAndOptionIsDescribed() throws {
    let reference = try CommandReference()
    #expect(!reference.commands.isEmpty)
    let page = try MarkdownPage("docs/cli.md")
    let shared = try #require(page.section("## Common options"))
    for command in reference.commands {
      let name = command.commandName
      let section = try #require(page.section("## \(name)"), "\(name) has no section")
      for option in command.options {
        #expect((section + shared).contains("`\(option)"), "\(name) \(option)")
      }
    }
    for option in reference.root.options { #expect(shared.contains("`\(option)"), "\(option)") }
  }

  @Test func noCommandIsDescribedThatIsNotThere() throws {
    let names = Set(try CommandReference().commands.map(\.commandName))
    let others = ["Common options", "Models", "Environment", "Progress"]
    for line in try MarkdownPage("docs/cli.md").lines where line.text.hasPrefix("## ") {
      let heading = String(line.text.dropFirst(3))
      #expect(names.contains(heading) || others.contains(heading), "\(heading)")
    }
  }

  @Test func everyExitStatusIsDescribed() throws {
    let reference = try CommandReference()
    let all = reference.root.statuses
    #expect(all.count >= 11)
    let scripting = try #require(try MarkdownPage("docs/scripting.md").section("## Exit status"))
    let readme = try #require(try MarkdownPage("README.md").section("## Exit status"))
    for status in all {
      #expect(scripting.contains("\n| \(status) |"), "\(status)")
      #expect(readme.contains("\n| \(status) |"), "\(status)")
    }
    let page = try MarkdownPage("docs/cli.md")
    for command in reference.commands {
      let section = try #require(page.section("## \(command.commandName)"))
      let line = try #require(
        section.split(separator: "\n").first { $0.hasPrefix("Exit status: ") })
      let described = Set(line.matches(of: /[0-9]+/).map { String($0.output) })
      for status in command.statuses {
        #expect(described.contains(status), "\(command.commandName): \(status)")
      }
    }
  }

  @Test func everyErrorCodeIsDescribedWithItsStatus() throws {
    let table = try #require(try MarkdownPage("docs/scripting.md").section("## Error codes"))
    let statuses = try Self.statusesByCode()
    let codes = try Self.errorCodes()
    #expect(codes.count > 20)
    for code in codes {
      let row = table.split(separator: "\n").first { $0.contains("`\(code)`") }
      let status = statuses[code] ?? "1"
      #expect(row?.contains("| \(status) |") == true, "\(code), which has the status \(status)")
    }
  }

  /// An app has no command line; text that depends on one is a ``CofferError/Advice``.
  @Test(arguments: ["AgeEncryption"] + LayeringTests.library + LayeringTests.published.sorted())
  func noTextOfTheLibraryNamesAnOption(_ module: String) throws {
    for path in try Repository.files(below: "Sources/\(module)", ending: ".swift")
    where !path.contains("/HTML/") && !path.hasSuffix("Style.swift") {
      for line in try Repository.text(path).split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        // Names of colors in styles of pages begin like options.
        let text = line.replacing("var(--", with: "var(")
        #expect(!text.contains(/"[^"]*--[a-z]/), "\(path): \(line)")
      }
    }
  }

  @Test(arguments: FindingCode.allCases)
  func everyFindingIsDescribed(_ code: FindingCode) throws {
    let page = try MarkdownPage("docs/findings.md")
    let section = try #require(page.section("## \(code.text)"), "\(code.text) has no section")
    for heading in ["**Meaning**", "**Cause**", "**Effect**", "**What to do**", "**Fix, "] {
      #expect(section.contains(heading), "\(code.text): \(heading)")
    }
    let row = "| [\(code.text)](#\(code.text)) | \(code.severity.rawValue) |"
    #expect(page.prose.contains(row), "\(row)")
  }

  @Test func noFindingIsDescribedThatIsNotThere() throws {
    let codes = Set(FindingCode.allCases.map(\.text))
    let others = ["Checks", "Codes", "Defects in real stores", "Fixes"]
    for line in try MarkdownPage("docs/findings.md").lines where line.text.hasPrefix("## ") {
      let heading = String(line.text.dropFirst(3))
      #expect(codes.contains(heading) || others.contains(heading), "\(line.text)")
    }
  }

  @Test(arguments: WorkPhase.allCases)
  func everyPhaseOfWorkIsDescribed(_ phase: WorkPhase) throws {
    #expect(try Repository.text("docs/scripting.md").contains("\n| `\(phase.rawValue)` | "))
  }

  @Test func everyRuleForModelsIsDescribedAndNoOther() throws {
    let page = try MarkdownPage("docs/model-rules.md").prose
    for code in ModelRuleCode.allCases {
      #expect(page.contains("| `\(code.text)` | \(code.severity.rawValue) | "), "\(code.text)")
      for text in [code.meaning, code.remedy] {
        #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(code.text): \(text)")
      }
    }
    let rows = page.split(separator: "\n").count { $0.hasPrefix("| `") }
    #expect(rows == ModelRuleCode.allCases.count)
  }

  /// The texts of the codes that the modules' errors and the program itself have.
  private static func errorCodes() throws -> Set<String> {
    var codes: Set<String> = []
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      let text = try Repository.text(path)
      for match in text.matches(of: /= Code\(\s*text: "([a-z-]+)"/) {
        codes.insert(String(match.output.1))
      }
      if path.hasSuffix("/Failure.swift") {
        for match in text.matches(of: /code = "([a-z-]+)"/) { codes.insert(String(match.output.1)) }
      }
    }
    return codes
  }

  /// The exit statuses of the codes that have one of their own, as the program's source says.
  private static func statusesByCode() throws -> [String: String] {
    var numbers: [String: String] = [:]
    for match in try Repository.text("Sources/coffer/ExitStatus.swift")
      .matches(of: /case ([a-zA-Z]+) = ([0-9]+)/)
    {
      numbers[String(match.output.1)] = String(match.output.2)
    }
    var statuses = ["usage": "64", "interrupted": "130"]
    var texts: [Substring: String] = [:]
    for match in try Repository.text("Sources/CoreDataModel/Errors/CofferError+Code.swift")
      .matches(of: /let ([a-zA-Z]+) = Code\(\s*text: "([a-z-]+)"/)
    {
      texts[match.output.1] = String(match.output.2)
    }
    let source = try Repository.text("Sources/coffer/ExitStatus.swift")
    for match in source.matches(of: /\.([a-zA-Z]+): \.([a-zA-Z]+)/) {
      let text = try #require(texts[match.output.1])
      statuses[text] = numbers[String(match.output.2)]
    }
    return statuses
  }
}
