internal import CofferKit
internal import CoreDataArchive

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
      try printer.line(
        "code",
        [
          "code": .string(code.text), "severity": .string(code.severity.rawValue),
          "check": .string(code.check.rawValue), "meaning": .string(code.meaning),
          "cause": .string(code.cause), "effect": .string(code.effect),
          "remedy": .string(code.remedy), "command": .text(code.tool?.command()),
          "fix": .string(code.fix.text), "fixKind": .string(code.fix.kind.rawValue),
          "repairable": .bool(code.fix.isAutomatic),
          "consequences": .array(code.consequences.map(JSONValue.string)),
        ])
    }
    try printer.summary(.done, ["codes": .number(codes.count)])
  }
}
