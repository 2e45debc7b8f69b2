internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import POSIX

/// The command `coffer sql STORE|ARCHIVE [QUERY]`.
struct SQLCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Query a store or archive with SQL, using model names.",
    usage: "coffer sql <file> [<query>] [<options>]",
    discussion: HelpText.discussion(
      """
      Entities are tables with their subentities, attributes and to-one relationships are \
      columns, and many-to-many relationships are tables, such as "Person.tags", as in a \
      database of tables export --format sqlite. Dates are ISO 8601. Without a query, reads \
      statements from standard input; .tables and .schema list tables and columns. Never writes.
      """,
      examples: [
        "coffer sql Trips.sqlite 'SELECT title, dueDate FROM TodoEntity LIMIT 3'",
        "coffer sql Trips.coffer.tar.gz 'SELECT count(*) FROM TagEntity' --format csv",
      ],
      statuses: [
        .unusableInput: "the file does not exist or is neither a store nor an archive", .busy: nil,
        .damaged: nil, .newerFormat: nil, .refused: "refused: a different model, or no key",
        .usage: "invalid usage, or a query that is invalid or does more than read",
      ]))

  @Argument(help: .value("file", "The store or the archive."), completion: .file())
  var file: String

  @Argument(help: .value("query", "One statement that reads."))
  var query: String?

  @Option(help: .value("format", "Write rows in this format."))
  var format: Choice<RowFormat>?

  @Option(help: .value("count", "End a query after this many rows."), transform: ObjectLimit.init)
  var limit: ObjectLimit?

  @Option(help: .value("seconds", "End a query with an error after this much processor time."))
  var timeout: Double?

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var onlyAnswers: Bool { true }

  func validate() throws {
    if output.json, format != nil {
      throw ValidationError("'--json' and '--format' cannot be combined.")
    }
    if let timeout, !(timeout > 0 && timeout < 1e6) {
      throw ValidationError("'--timeout' takes a number of seconds above 0.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session, model: explaining)
    let path = try session.path(of: file, environment)
    let queries = try StoreQueries(path, environment: environment, progress: session.progress)
    queries.limitMemory(to: QueryWatchdog.maxMemory)
    session.eraseProgress()
    if let query {
      if let command = DotCommand(query) {
        try print(command, queries, session)
        return .done
      }
      try run(query, queries, session)
      return .done
    }
    return try answer(queries, session)
  }

  /// The maximum number of bytes of a statement in standard input.
  private static let longestStatement = 16 << 20

  private var bounds: QueryLimits {
    QueryLimits(seconds: timeout, rows: limit?.count)
  }

  /// Runs a statement and prints its rows.
  private func run(_ text: String, _ queries: StoreQueries, _ session: Session) throws {
    let watchdog = timeout.map { seconds in
      QueryWatchdog(seconds: seconds) { [file, output] in
        let error = StoreQueries.tookTooLong(seconds, file)
        let printer = Session(output, command: Self.fullName, answer: .output).printer
        printer.fail(Failure(error, isInterrupted: false))
        OwnedFolder.removeAll(in: FileNames.temporaryFolder)
        ExitStatus(error.code).endProcess()
      }
    }
    defer { withExtendedLifetime(watchdog) {} }
    switch session.printer {
    case .json(let printer):
      var writer = JSONRows(printer: printer)
      let count = try queries.run(text, limits: bounds) {
        writer.begin($0)
      } row: {
        try writer.add($0)
        return true
      }
      try printer.summary(.done, ["rows": count, "columns": writer.names])
    case .text(let printer):
      var writer = RowWriter(format: format?.value ?? .table, printer: printer)
      try queries.run(text, limits: bounds) {
        try writer.begin($0)
      } row: {
        try writer.add($0)
        return true
      }
      try writer.end()
    }
  }

  // MARK: Standard input

  /// Answers the statements of standard input, one after another.
  ///
  /// In a terminal, an error does not end the work; in a script, it does.
  private func answer(_ queries: StoreQueries, _ session: Session) throws -> ExitStatus {
    // A file that is not a store is refused before the first prompt.
    _ = try queries.tables()
    let isTerminal = Terminal.isTerminal(0) && StandardStream.output.isTerminal
    var statement = ""
    var lines = InputLines(longest: Self.longestStatement)
    func nextLine() throws -> String? {
      if isTerminal {
        try session.printer.finish()
        try StandardStream.output.write(Array((statement.isEmpty ? "coffer> " : "   ...> ").utf8))
      }
      return try lines.nextText(of: file)
    }
    while let line = try nextLine() {
      if statement.isEmpty, let command = DotCommand(line) {
        if command == .quit { return .done }
        try tolerating(isTerminal, session) { try print(command, queries, session) }
      } else {
        guard statement.utf8.count <= Self.longestStatement else {
          throw InputLines.tooLong(Self.longestStatement, file)
        }
        statement += line
        // Without another semicolon, nothing can have become complete.
        while line.utf8.contains(UInt8(ascii: ";")),
          let complete = QueryText.takeFirst(from: &statement)
        {
          if QueryText.isBlank(complete) { continue }
          try tolerating(isTerminal, session) { try run(complete, queries, session) }
        }
        if QueryText.isBlank(statement) { statement = "" }
      }
    }
    if isTerminal { try StandardStream.output.write([0x0A]) }
    try Task<Never, Never>.checkCancellation()
    if !statement.isEmpty {
      try tolerating(isTerminal, session) { try run(statement, queries, session) }
    }
    return .done
  }

  /// Does something; prints its failure and continues if requested.
  private func tolerating(_ isWanted: Bool, _ session: Session, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      // The rows of the statements before it come first.
      try session.printer.finish()
      guard isWanted, !(error is CancellationError), !Task.isCancelled else { throw error }
      session.printer.fail(Failure(session.sources.named(error), isInterrupted: false))
    }
  }

  private func print(_ command: DotCommand, _ queries: StoreQueries, _ session: Session) throws {
    switch command {
    case .tables, .schema:
      let name = if case .schema(let name) = command { name } else { String?.none }
      let tables = try queries.tables()
      let chosen = tables.filter { name == nil || $0.name.lowercased() == name?.lowercased() }
      if chosen.isEmpty, let name {
        let guess = SimilarName.nearest(to: name, among: tables.map(\.name))
        throw CofferError(
          .invalidQuery, path: file, detail: "there is no table \(name)",
          advice: guess.map { "Did you mean '\($0)'?" } ?? ".tables lists the tables.")
      }
      for table in chosen {
        try session.printer.print(QueryTableMessage(table: table, showsColumns: command != .tables))
      }
    case .help: try session.printer.print(QueryHelpMessage())
    case .quit: break
    case .unknown(let text):
      throw CofferError(
        .invalidQuery, path: file, detail: "there is no command \(text)",
        advice: "There are .tables, .schema [TABLE], .help and .quit.")
    }
  }
}

/// A line that is not SQL.
private enum DotCommand: Equatable {
  case tables
  case schema(String?)
  case help
  case quit
  case unknown(String)

  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let first = words.first, first.hasPrefix(".") else { return nil }
    let rest = words.dropFirst().joined(separator: " ")
    switch first {
    case ".tables": self = .tables
    case ".schema": self = .schema(rest.isEmpty ? nil : rest.trimmingCharacters(in: ["\""]))
    case ".help": self = .help
    case ".quit", ".exit": self = .quit
    default: self = .unknown(first)
    }
  }
}

/// The forms that can be typed.
private struct QueryHelpMessage: Message {
  private static let lines = [
    (".tables", "the tables: entities, and many-to-many relationships"),
    (".schema [TABLE]", "their columns"),
    (".quit", "end, as Control-D does"),
    ("SELECT …;", "a query on one or more lines, up to its semicolon"),
  ]

  func write(to printer: TextPrinter) throws {
    let rows = Self.lines.map { [$0.0, $0.1] }
    let aligned = AlignedRows(measuring: rows, style: printer.style)
    for row in rows { try printer.line(aligned.line(row)) }
  }

  func write(to printer: JSONPrinter) throws {
    for (command, meaning) in Self.lines {
      try printer.line(["type": "help", "command": command, "meaning": meaning])
    }
  }
}

/// A table that queries can name.
private struct QueryTableMessage: Message {
  var table: QueryTable
  var showsColumns: Bool

  func write(to printer: TextPrinter) throws {
    try printer.line(Terminal.printable(table.name))
    guard showsColumns else { return }
    for column in table.columns {
      let type = column.type.isEmpty ? "" : "  \(column.type)"
      try printer.line("  \(Terminal.printable(column.name))\(type)")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try printer.line([
      "type": "table", "name": table.name,
      "columns": table.columns.map { JSONMembers(["name": $0.name, "type": $0.type]) },
    ])
  }
}
