internal import CofferKit

/// Prints lines for people, in colour where that was asked for.
struct TextPrinter {
  /// The answer.
  let answer: LineWriter
  /// What is wrong goes here.
  let complaint = LineWriter(.error)
  /// Whether only what is wrong is printed.
  let isQuiet: Bool
  /// The looks of the answer.
  let style: Style
  /// The looks of what is wrong.
  let complaintStyle: Style

  init(_ options: OutputOptions, answer stream: StandardStream) {
    answer = LineWriter(stream)
    isQuiet = options.quiet
    style = options.style(on: stream)
    complaintStyle = options.style(on: .error)
  }

  /// Adds a line to the answer; nothing when quiet.
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

  /// Adds a line about something wrong, quiet or not.
  func complain(_ text: String, _ severity: FindingSeverity = .error) throws {
    try complaint.line(complaintStyle.colored(text, severity))
  }

  /// Prints what the work goes on in spite of.
  func warn(_ message: String) throws {
    try complaint.line("\(complaintStyle.yellow("Warning:")) \(Terminal.printable(message))")
  }

  /// Prints why there is no answer.
  func fail(_ failure: Failure) {
    try? complaint.line("\(complaintStyle.red("Error:")) \(Terminal.printable(failure.message))")
    for line in failure.excerpt { try? complaint.line("  \(Terminal.printable(line))") }
    if let hint = failure.hint {
      try? complaint.line("\(complaintStyle.cyan("Hint:")) \(Terminal.printable(hint))")
    }
    try? complaint.flush()
  }

  /// Writes what has not been written yet.
  func finish() throws {
    try answer.flush()
    try complaint.flush()
  }

  /// Breaks running text between words so that lines are no wider than that.
  ///
  /// A word that is wider has a line of its own. Without a word there is no line.
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

/// The looks of a piece of text on a terminal.
struct Style: Sendable {
  /// Whether there are colours at all.
  var isColored: Bool

  /// A heading.
  func bold(_ text: String) -> String { wrapped("1", text) }
  /// An error, or something that is gone.
  func red(_ text: String) -> String { wrapped("31", text) }
  /// Something that is new.
  func green(_ text: String) -> String { wrapped("32", text) }
  /// A warning, or something that changed.
  func yellow(_ text: String) -> String { wrapped("33", text) }
  /// A next step.
  func cyan(_ text: String) -> String { wrapped("36", text) }

  /// Something of a severity.
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
