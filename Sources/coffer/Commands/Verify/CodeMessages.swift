internal import CofferKit

/// The explanation of a finding code.
struct CodeMessage: Message {
  var code: FindingCode

  func write(to printer: TextPrinter) throws {
    try printer.line(
      printer.style.bold("\(code.text): \(code.severity.rawValue), check \(code.check.rawValue)"))
    for (heading, text) in [
      ("Meaning", code.meaningSentence), ("Cause", code.cause), ("Effect", code.effect),
      ("What to do", code.remedyText()),
      ("Fix, \(code.fixText)", code.fix.text),
      ("Can also cause", code.consequences.joined(separator: ", ")),
    ] where !text.isEmpty {
      try printer.line("")
      try printer.line(heading)
      for part in TextPrinter.paragraph(text, width: CodeListMessage.width - 2) {
        try printer.line("  \(part)")
      }
    }
  }

  func write(to printer: JSONPrinter) throws {
    try CodeListMessage(codes: [code]).write(to: printer)
  }
}

/// Codes with their checks.
struct CodeListMessage: Message {
  /// The width of text in columns.
  static let width = 78

  var codes: [FindingCode]

  func write(to printer: TextPrinter) throws {
    for (index, check) in CheckName.allCases.enumerated() {
      if index > 0 { try printer.line("") }
      let title = TextPrinter.paragraph("\(check.rawValue): \(check.subject)", width: Self.width)
      for text in title { try printer.line(printer.style.bold(text)) }
      for code in codes where code.check == check {
        let severity = code.severity.rawValue
        let padding = String(repeating: " ", count: max(0, 7 - severity.count))
        try printer.line("  \(severity)\(padding)  \(code.text)")
      }
    }
  }

  func write(to printer: JSONPrinter) throws {
    for code in codes {
      try printer.line([
        "type": "code", "code": code.text, "severity": code.severity.rawValue,
        "check": code.check.rawValue, "meaning": code.meaning, "cause": code.cause,
        "effect": code.effect, "remedy": code.remedy, "command": code.tool?.command(),
        "fix": code.fix.text, "fixKind": code.fix.kind.rawValue, "repairable": code.fix.isAutomatic,
        "consequences": code.consequences,
      ])
    }
    try printer.summary(.done, ["codes": codes.count])
  }
}
