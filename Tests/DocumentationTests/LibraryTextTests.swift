internal import TestSupport
internal import Testing

/// What the library says does not depend on who calls it: an app has no commands.
@Suite struct LibraryTextTests {
  @Test func noErrorNamesACommand() throws {
    let findings = "Sources/CofferCore/Findings/"
    for path in try Repository.files(below: "Sources", ending: ".swift")
    where !path.hasPrefix("Sources/coffer/") && !path.hasPrefix(findings) {
      for line in try Repository.text(path).split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!line.contains(/"[^"]*(`|: )coffer [a-z]/), "\(path): \(line)")
      }
    }
  }
}
