internal import CofferKit

/// Prints lines for people, in color if requested.
struct TextPrinter {
  let answer: LineWriter
  let complaint = LineWriter(.error)
  /// Whether to print only problems.
  let isQuiet: Bool
  let style: Style
  let complaintStyle: Style

  init(_ options: OutputOptions, answer stream: StandardStream) {
    answer = LineWriter(stream)
    isQuiet = options.quiet
    style = options.style(on: stream)
    complaintStyle = options.style(on: .error)
  }

  /// Adds a line to the answer, unless quiet.
  func line(_ text: String) throws {
    if !isQuiet { try answer.line(text) }
  }

  /// Adds the lines of a block to the answer.
  func block(_ block: FieldBlock) throws {
    for line in block.lines { try self.line(line) }
  }

  /// Adds a heading with an empty line before it.
  func heading(_ title: String) throws {
    try line("")
    try line(style.bold(title))
  }

  /// Adds a line about a problem, even if quiet.
  func complain(_ text: String, _ severity: FindingSeverity = .error) throws {
    try complaint.line(complaintStyle.colored(text, severity))
  }

  func warn(_ message: String) throws {
    try complaint.line("\(complaintStyle.yellow("Warning:")) \(Terminal.printable(message))")
  }

  func fail(_ failure: Failure) {
    try? complaint.line("\(complaintStyle.red("Error:")) \(Terminal.printable(failure.message))")
    for line in failure.excerpt { try? complaint.line("  \(Terminal.printable(line))") }
    if let hint = failure.hint {
      try? complaint.line("\(complaintStyle.cyan("Hint:")) \(Terminal.printable(hint))")
    }
    try? complaint.flush()
  }

  /// Writes everything not yet written.
  func finish() throws {
    try answer.flush()
    try complaint.flush()
  }

  /// Wraps text at word boundaries to a maximum width.
  ///
  /// A wider word gets its own line. A text without words has no lines.
  static func paragraph(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}

/// The style of text on a terminal.
struct Style: Sendable {
  var isColored: Bool

  func bold(_ text: String) -> String { wrapped("1", text) }
  /// An error, or something removed.
  func red(_ text: String) -> String { wrapped("31", text) }
  /// Something added.
  func green(_ text: String) -> String { wrapped("32", text) }
  /// A warning, or something changed.
  func yellow(_ text: String) -> String { wrapped("33", text) }
  /// A next step.
  func cyan(_ text: String) -> String { wrapped("36", text) }

  func colored(_ text: String, _ severity: FindingSeverity) -> String {
    switch severity {
    case .error: red(text)
    case .warning: yellow(text)
    case .info: text
    }
  }

  private func wrapped(_ code: String, _ text: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
