internal import CofferKit
internal import CoreDataArchive
internal import Foundation

/// The formats of rows for people and other programs.
enum RowFormat: String, CaseIterable, Sendable {
  /// Columns that are aligned.
  case table
  /// Comma-separated values (RFC 4180) with a header.
  case csv
  /// A table of Markdown.
  case markdown
}

/// Writes the rows of a query as text.
struct RowWriter {
  /// How many rows decide how wide the columns are.
  private static let measuredRows = 1000
  /// The widest column that later ones are aligned to.
  private static let widest = 60

  private let format: RowFormat
  private let printer: TextPrinter
  private var names: [String] = []
  /// The rows that wait until the widths are known.
  private var waiting: [[String]] = []
  private var widths: [Int] = []

  init(format: RowFormat, printer: TextPrinter) {
    self.format = format
    self.printer = printer
  }

  /// Takes the names of the columns.
  mutating func begin(_ names: [String]) throws {
    self.names = names
    switch format {
    case .table: waiting = [names.map(Terminal.printable)]
    case .csv: try printer.answer.line(Self.csv(names.map(QueryValue.text)))
    case .markdown:
      try printer.answer.line(Self.markdown(names.map(QueryValue.text)))
      try printer.answer.line("|\(String(repeating: " --- |", count: names.count))")
    }
  }

  /// Takes a row.
  mutating func add(_ values: [QueryValue]) throws {
    switch format {
    case .csv: try printer.answer.line(Self.csv(values))
    case .markdown: try printer.answer.line(Self.markdown(values))
    case .table where widths.isEmpty:
      waiting.append(values.map(Self.text))
      if waiting.count > Self.measuredRows { try align() }
    case .table: try line(values.map(Self.text))
    }
  }

  /// Writes what still waits.
  mutating func end() throws {
    if format == .table, widths.isEmpty { try align() }
  }

  private mutating func align() throws {
    widths = names.indices.map { column in
      min(Self.widest, waiting.map { $0[column].count }.max() ?? 0)
    }
    if let header = waiting.first { try line(header, style: printer.style.bold) }
    for row in waiting.dropFirst() { try line(row) }
    waiting = []
  }

  private func line(_ row: [String], style: (String) -> String = { $0 }) throws {
    let cells = zip(row, widths).enumerated().map { index, cell in
      let (text, width) = cell
      let padding = index == widths.count - 1 ? 0 : max(0, width - text.count)
      return style(text) + String(repeating: " ", count: padding)
    }
    try printer.line(cells.joined(separator: "  "))
  }

  private static func text(_ value: QueryValue) -> String {
    switch value {
    case .none: "–"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): Terminal.escaped(text)
    case .data(let bytes): QuantityText.bytes(bytes.count)
    }
  }

  /// A line of CSV without its end; a carriage return belongs to it.
  private static func csv(_ values: [QueryValue]) -> String {
    values.map { value in
      switch value {
      case .none: ""
      case .data(let bytes): Data(bytes).base64EncodedString()
      case .text(let text):
        text.isEmpty || text.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) })
          ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
      case .integer, .real: Self.text(value)
      }
    }.joined(separator: ",") + "\r"
  }

  private static func markdown(_ values: [QueryValue]) -> String {
    let cells = values.map { value in
      value == .none
        ? "" : Self.text(value).replacing("|", with: "\\|")
    }
    return "| \(cells.joined(separator: " | ")) |"
  }
}

/// Writes the rows of a query as lines of JSON.
struct JSONRows {
  private let printer: JSONPrinter
  /// The names of the columns, each once: another column of a name gets a number.
  private(set) var names: [String] = []

  init(printer: JSONPrinter) { self.printer = printer }

  /// Takes the names of the columns.
  mutating func begin(_ names: [String]) {
    for name in names {
      var free = name
      var number = 2
      while self.names.contains(free) {
        free = "\(name)_\(number)"
        number += 1
      }
      self.names.append(free)
    }
  }

  /// Writes a row.
  func add(_ values: [QueryValue]) throws {
    var row = JSONObject()
    for (name, value) in zip(names, values) { row.append(name, Self.value(value)) }
    try printer.line("row", ["values": .object(row)])
  }

  private static func value(_ value: QueryValue) -> JSONValue {
    switch value {
    case .none: .null
    case .integer(let number): .integer(number)
    case .real(let number): number.isFinite ? .real(number) : .string("\(number)")
    case .text(let text): .string(text)
    case .data(let bytes): .string(Data(bytes).base64EncodedString())
    }
  }
}
