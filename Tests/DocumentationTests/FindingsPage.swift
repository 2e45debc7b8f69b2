internal import CofferKit

/// The part of docs/findings.md that is generated from the sources: a list of the checks, a list of the
/// codes, and a section for each code.
enum FindingsPage {
  /// The path of the page from the folder of the project.
  static let path = "docs/findings.md"
  /// The line after which the part begins; the text before it is written by hand.
  static let marker = "<!-- From here on written by `make docs`, from the texts in the sources. -->"
  /// The widest line of text; lines of tables may be wider.
  private static let width = 100

  /// The part, with a line feed at its end.
  ///
  /// - Parameter commands: the commands that the program names, by the texts of codes.
  /// - Returns: the part.
  static func composed(_ commands: [String: String]) -> String {
    var lines = ["## Checks", "", "| check | what it checks |", "| --- | --- |"]
    for check in CheckName.allCases { lines.append("| `\(check.rawValue)` | \(check.subject) |") }
    lines += ["", "## Codes", "", "| code | severity | check | fix |", "| --- | --- | --- | --- |"]
    for code in FindingCode.allCases {
      let link = "[\(code.text)](#\(code.text))"
      lines.append(
        "| \(link) | \(code.severity.rawValue) | `\(code.check.rawValue)` | \(code.fix.kind.rawValue) |"
      )
    }
    for code in FindingCode.allCases { lines += section(code, commands) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(
    _ code: FindingCode, _ commands: [String: String]
  ) -> [String] {
    let meaning = "\(code.meaning.prefix(1).uppercased())\(code.meaning.dropFirst())."
    var lines = ["", "## \(code.text)", ""]
    lines.append("Severity **\(code.severity.rawValue)**, check `\(code.check.rawValue)`.")
    lines.append("")
    for (heading, text) in [
      ("Meaning", meaning), ("Cause", code.cause), ("Effect", code.effect),
      ("What to do", commands[code.text].map { "\(code.remedy) `\($0)`" } ?? code.remedy),
      ("Fix, \(code.fix.kind.rawValue)\(maker(code.fix))", code.fix.text),
    ] { lines += item("**\(heading)**: \(text)") }
    if !code.consequences.isEmpty {
      let links = code.consequences.map { "[\($0)](#\($0))" }.joined(separator: ", ")
      lines += item("**Can also cause**: \(links)")
    }
    return lines
  }

  private static func maker(_ fix: FindingFix) -> String {
    fix.kind == .none ? "" : fix.isAutomatic ? " by `coffer repair`" : " by hand"
  }

  /// An item of a list, broken between words.
  private static func item(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "-"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = " "
      }
      line += " \(word)"
    }
    return lines + [line]
  }
}
