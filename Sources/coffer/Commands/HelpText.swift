/// The part of a help text that every command has in the same form.
enum HelpText {
  /// What the command does to which file, examples, and the exit statuses.
  ///
  /// - Parameters:
  ///   - sentence: what the command does to which file.
  ///   - examples: command lines that work as they stand.
  ///   - statuses: those that the command can end with; nil for the usual meaning.
  /// - Returns: the text below the list of arguments.
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
