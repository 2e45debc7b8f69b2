/// The parts of a help text that are the same for every command.
enum HelpText {
  private static let everywhere: [ExitStatus] = [.done, .failed, .usage, .interrupted]

  /// The description, examples and exit statuses.
  ///
  /// Every status has its usual meaning unless another is given; those that every command has can be left out.
  static func discussion(
    _ sentence: String, examples: [String], statuses: [ExitStatus: String?]
  ) -> String {
    let all = statuses.merging(everywhere.map { ($0, nil) }) { given, _ in given }
    let lines = all.sorted { $0.key.rawValue < $1.key.rawValue }.map { status, meaning in
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
