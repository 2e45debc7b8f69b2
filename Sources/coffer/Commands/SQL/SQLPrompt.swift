internal import CLineEditor
internal import CofferKit
internal import Foundation
internal import POSIX

/// Reads lines from a terminal: with libedit, which edits and completes them and recalls earlier ones, or
/// plainly if it is not installed.
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
  ///   - tables: the tables whose names and columns are completed.
  ///   - commands: the other words that can begin a line.
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

/// The properties of the terminal, from the environment.
private enum TerminalType {
  /// Whether the cursor can be moved.
  static var canEdit: Bool {
    guard let type = unsafe getenv("TERM") else { return false }
    return unsafe !["", "dumb"].contains(String(cString: type))
  }
}

/// The lines of earlier prompts, in a file that only its user may read; without a file if that is not
/// possible.
///
/// Source of the place: the XDG Base Directory Specification, `XDG_STATE_HOME`.
struct PromptHistory {
  /// The number of lines to keep: once there are twice as many, the newest.
  private static let most = 1000

  private let path: String

  /// Finds the path, and makes its folder; nil if there is none.
  init?() {
    let environment = ProcessInfo.processInfo.environment
    var base = environment["XDG_STATE_HOME"] ?? ""
    if !base.hasPrefix("/") {
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      base = "\(home)/.local/state"
    }
    let folder = "\(base)/coffer"
    path = "\(folder)/sql_history"
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])) != nil
    else { return nil }
  }

  /// The lines, the oldest first.
  func lines() -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count > 2 * Self.most else { return lines }
    let newest = Array(lines.suffix(Self.most))
    write(newest.map { "\($0)\n" }.joined(), O_TRUNC)
    return newest
  }

  func add(_ line: String) { write("\(line)\n", O_APPEND) }

  private func write(_ text: String, _ flag: Int32) {
    let descriptor = FileOpening.open(
      path, O_WRONLY | O_CREAT | O_NOFOLLOW | flag, mode: 0o600)
    guard descriptor >= 0 else { return }
    defer { FileIO.close(descriptor) }
    // Also one that was there with other permissions.
    guard fchmod(descriptor, 0o600) == 0 else { return }
    unsafe Array(text.utf8).withUnsafeBytes { unsafe try? FileIO.writeAll(descriptor, $0) }
  }
}
