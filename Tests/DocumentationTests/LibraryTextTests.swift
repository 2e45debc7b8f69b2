internal import CofferKit
internal import TestSupport
internal import Testing

/// What the library says does not depend on who calls it: an app has no commands.
@Suite struct LibraryTextTests {
  @Test func noErrorNamesACommand() throws {
    for path in try Repository.files(below: "Sources", ending: ".swift")
    where !path.hasPrefix("Sources/coffer/") {
      for line in try Repository.text(path).split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!line.contains(/"[^"]*(`|: )coffer [a-z]/), "\(path): \(line)")
      }
    }
  }

  /// Texts of several lines too, and options.
  @Test(arguments: FindingCode.allCases)
  func noFindingNamesACommand(_ code: FindingCode) {
    for text in [code.meaning, code.cause, code.effect, code.remedy, code.fix.text] {
      #expect(!text.contains(/`coffer|coffer [a-z]+ [A-Z]|--[a-z]/), "\(code.text): \(text)")
    }
  }
}
