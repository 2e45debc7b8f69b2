/// Lets the options that every command has stand before the command too: `coffer --json export`.
enum LeadingOptions {
  /// The arguments with such options moved behind the name of the command.
  static func moved(_ arguments: [String]) -> [String] {
    var options: [String] = []
    var rest = arguments[...]
    while let option = rest.first, option.hasPrefix("-") {
      if ["--json", "-q", "--quiet"].contains(option) || isAssignment(option) {
        options.append(option)
        rest.removeFirst()
      } else if ["--progress", "--color"].contains(option), rest.count > 1 {
        options += rest.prefix(2)
        rest.removeFirst(2)
      } else {
        return arguments
      }
    }
    guard let command = rest.popFirst() else { return arguments }
    return [command] + options + rest
  }

  private static func isAssignment(_ option: String) -> Bool {
    option.hasPrefix("--progress=") || option.hasPrefix("--color=")
  }
}
