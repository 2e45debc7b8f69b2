internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// The page about findings agrees with the sources.
@Suite struct FindingsPageTests {
  /// `make docs` sets it, and the page is written instead of compared.
  private static let writes = ProcessInfo.processInfo.environment["COFFER_WRITE_DOCS"] == "1"

  @Test func thePageIsThatOfTheSources() throws {
    let text = try Repository.text(FindingsPage.path)
    let parts = text.components(separatedBy: FindingsPage.marker + "\n\n")
    try #require(parts.count == 2, "the marker must stand in \(FindingsPage.path) once")
    let composed = FindingsPage.composed(try Self.commands())
    if Self.writes {
      let page = parts[0] + FindingsPage.marker + "\n\n" + composed
      let url = Repository.root.appendingPathComponent(FindingsPage.path)
      try Data(page.utf8).write(to: url, options: .atomic)
    } else {
      let isCurrent = parts[1] == composed
      #expect(isCurrent, "\(FindingsPage.path) is not what the codes say: make docs")
    }
  }

  /// The commands that the program names, by the texts of codes.
  private static func commands() throws -> [String: String] {
    struct Line: Decodable {
      let code: String
      let command: String?
    }
    let list = try ProcessRunner(BuiltProgram.path()).run(["verify", "--list", "--json"]).output
    let lines = list.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    return Dictionary(lines.map { ($0.code, $0.command) }) { $1 }.compactMapValues(\.self)
  }

  @Test func everyToolIsACommand() throws {
    let commands = try Self.commands()
    for code in FindingCode.allCases {
      #expect((commands[code.text] != nil) == (code.tool != nil), "\(code.text)")
    }
    #expect(Set(FindingCode.allCases.compactMap(\.tool)) == Set(FindingTool.allCases))
    #expect(commands["sqlite-damage"] == "coffer rescue STORE --output NEW")
  }

  @Test(arguments: FindingCode.allCases)
  func everyCodeExplainsItself(_ code: FindingCode) {
    #expect(code.text.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    #expect(code.meaning.first?.isLetter == true)
    #expect(!code.meaning.hasSuffix("."), "the meaning is a clause")
    for (name, text) in [
      ("cause", code.cause), ("effect", code.effect), ("remedy", code.remedy),
      ("fix", code.fix.text),
    ] {
      #expect(!text.isEmpty, "\(code.text) has no \(name)")
      // Only sentences can stand one behind the other.
      #expect(text.isEmpty || text.hasSuffix("."), "\(code.text): the \(name) has no full stop")
      let isCapital = text.first.map { $0.isUppercase || !$0.isLetter } ?? true
      #expect(isCapital, "\(code.text): the \(name) has no capital")
      #expect(!text.contains("\n") && !text.contains("  ") && !text.contains("|"))
    }
  }

  @Test func noTextNamesWhatOnlyTheFormatOfStoresKnows() {
    for code in FindingCode.allCases {
      for text in [code.meaning, code.cause, code.effect, code.remedy, code.fix.text] {
        #expect(text.firstMatch(of: /\bZ_?[A-Z]{2,}/) == nil, "\(code.text): \(text)")
      }
    }
  }

  @Test func thePageSaysWhatEveryKindOfFixCosts() throws {
    let text = try Repository.text(FindingsPage.path)
    for kind in FindingFix.Kind.allCases {
      #expect(text.contains("| **\(kind.rawValue)** |"), "\(kind.rawValue)")
      #expect(FindingCode.allCases.contains { $0.fix.kind == kind }, "\(kind.rawValue)")
    }
  }

  @Test func everyCheckHasCodesAndSaysWhatItLooksAt() {
    let checks = Set(FindingCode.allCases.map(\.check))
    for check in CheckName.allCases {
      #expect(checks.contains(check), "\(check.rawValue) has no code")
      #expect(check.subject.first?.isLowercase == true && !check.subject.hasSuffix("."))
    }
    #expect(Set(CheckName.allCases.map(\.subject)).count == CheckName.allCases.count)
  }
}
