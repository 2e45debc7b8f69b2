internal import CLineEditor
internal import CofferKit
internal import POSIX

/// Asks for lines in a terminal: with libedit, which edits and completes them and knows earlier ones, or
/// plainly where it is not installed.
struct SQLPrompt {
  /// The words of a statement that reads.
  private static let keywords = [
    "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", "COLLATE", "CROSS", "DESC",
    "DISTINCT", "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "EXPLAIN", "FILTER", "FROM", "GLOB",
    "GROUP", "HAVING", "IN", "INNER", "INTERSECT", "IS", "JOIN", "LEFT", "LIKE", "LIMIT",
    "NOCASE", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OVER", "PARTITION", "PLAN", "QUERY",
    "RECURSIVE", "SELECT", "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
    "avg", "coalesce", "count", "date", "datetime", "group_concat", "ifnull", "iif", "length",
    "lower", "max", "min", "nullif", "round", "strftime", "substr", "sum", "total", "typeof",
    "upper",
  ]

  private let isEdited: Bool
  private let history: PromptHistory?

  /// - Parameters:
  ///   - tables: the tables whose names, and those of their columns, are completed.
  ///   - commands: what else begins a line.
  init(_ tables: [QueryTable], _ commands: [String]) {
    let names = tables.flatMap { [$0.name] + $0.columns.map(\.name) }
    let words = Set(names + Self.keywords + commands)
    isEdited = TerminalType.canEdit && Self.load(words.sorted())
    history = isEdited ? PromptHistory() : nil
    for line in history?.lines() ?? [] { unsafe coffer_edit_remember(line) }
  }

  /// Asks for a line.
  ///
  /// - Returns: the line with its line feed; nil at the end of input, and after an interruption.
  func line(_ prompt: String) throws -> String? {
    guard isEdited else {
      try StandardStream.output.write(Array(prompt.utf8))
      return Self.awaitInput() ? readLine(strippingNewline: false) : nil
    }
    guard let text = unsafe coffer_edit_line(prompt) else { return nil }
    defer { unsafe free(text) }
    let line = unsafe String(cString: text)
    if !line.allSatisfy(\.isWhitespace) {
      unsafe coffer_edit_remember(line)
      history?.add(line)
    }
    return "\(line)\n"
  }

  private static func load(_ words: [String]) -> Bool {
    var copies = unsafe words.map { unsafe UnsafePointer(strdup($0)) }
    let failure = unsafe coffer_edit_load(&copies, copies.count) {
      SQLPrompt.awaitInput() ? 1 : 0
    }
    unsafe copies.forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) }
    return unsafe failure == nil
  }

  /// Waits for a key; false after an interruption.
  private static func awaitInput() -> Bool {
    while !Task<Never, Never>.isCancelled {
      if FileIO.waitUntilReadable(0, milliseconds: 100) { return true }
    }
    return false
  }
}

/// What the environment says of the terminal.
private enum TerminalType {
  /// Whether the cursor can be moved.
  static var canEdit: Bool {
    guard let type = unsafe getenv("TERM") else { return false }
    return unsafe !["", "dumb"].contains(String(cString: type))
  }
}
