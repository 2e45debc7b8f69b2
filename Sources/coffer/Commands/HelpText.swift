/// The parts of a help text that are the same for every command.
enum HelpText {
  /// The description, examples and exit statuses.
  ///
  /// - Parameters:
  ///   - sentence: the description of the command.
  ///   - examples: complete command lines that work.
  ///   - statuses: the exit statuses of the command; a nil text means the usual meaning.
  /// - Returns: the text for the help.
  static func discussion(
    _ sentence: String, examples: [String], statuses: [(ExitStatus, String?)]
  ) -> String {
    let lines = statuses.map { status, meaning in
      let number = String(status.rawValue)
      let padding = String(repeating: " ", count: 5 - number.count)
      return "  \(number)\(padding)\(meaning ?? status.meaning)"
    }
    return """
      \(sentence)

      EXAMPLES:
      \(examples.map { "  \($0)" }.joined(separator: "\n"))

      EXIT STATUS:
      \(lines.joined(separator: "\n"))
      """
  }
}
