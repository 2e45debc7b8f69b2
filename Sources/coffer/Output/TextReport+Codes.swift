internal import CofferKit

extension TextReport {
  /// The columns that running text takes.
  private static let width = 78

  func explained(_ code: FindingCode) throws {
    try line(style.bold("\(code.text): \(code.severity.rawValue), check \(code.check.rawValue)"))
    for (heading, text) in [
      ("Means", code.meaningSentence), ("Comes from", code.cause), ("The app", code.effect),
      ("To do", code.remedy), ("May come with", code.consequences.joined(separator: ", ")),
    ] where !text.isEmpty {
      try line("")
      try line(heading)
      for part in Paragraph.lines(text, width: Self.width - 2) { try line("  \(part)") }
    }
  }

  func listed(_ codes: [FindingCode]) throws {
    for (index, check) in CheckName.allCases.enumerated() {
      if index > 0 { try line("") }
      let title = Paragraph.lines("\(check.rawValue): \(check.subject)", width: Self.width)
      for text in title { try line(style.bold(text)) }
      for code in codes where code.check == check {
        let severity = code.severity.rawValue
        let padding = String(repeating: " ", count: max(0, 7 - severity.count))
        try line("  \(severity)\(padding)  \(code.text)")
      }
    }
  }
}
