internal import CofferKit
internal import CoreDataArchive
internal import Foundation

/// The formats of rows for people and other programs.
enum RowFormat: String, CaseIterable, Sendable {
  /// Aligned columns.
  case table
  /// Comma-separated values (RFC 4180) with a header.
  case csv
  case markdown
}

/// Writes the rows of a query as text.
struct RowWriter {
  /// The number of rows that decide the widths of the columns.
  private static let measuredRows = 1000

  private let format: RowFormat
  private let printer: TextPrinter
  /// The pending rows, until the widths are known.
  private var waiting: [[String]] = []
  private var aligned: AlignedRows?

  init(format: RowFormat, printer: TextPrinter) {
    self.format = format
    self.printer = printer
  }

  /// Takes the names of the columns.
  mutating func begin(_ names: [String]) throws {
    switch format {
    case .table: waiting = [names.map(Terminal.printable)]
    case .csv: try printer.answer.line(Self.csv(names.map(QueryValue.text)))
    case .markdown:
      try printer.answer.line(Self.markdown(names.map(QueryValue.text)))
      try printer.answer.line("|\(String(repeating: " --- |", count: names.count))")
    }
  }

  mutating func add(_ values: [QueryValue]) throws {
    switch format {
    case .csv: try printer.answer.line(Self.csv(values))
    case .markdown: try printer.answer.line(Self.markdown(values))
    case .table:
      let row = values.map(Self.text)
      if let aligned { return try printer.line(aligned.line(row)) }
      waiting.append(row)
      if waiting.count > Self.measuredRows { try align() }
    }
  }

  mutating func end() throws {
    if format == .table, aligned == nil { try align() }
  }

  private mutating func align() throws {
    let rows = AlignedRows(measuring: waiting, style: printer.style)
    for (index, row) in waiting.enumerated() {
      try printer.line(rows.line(row, isHeader: index == 0))
    }
    aligned = rows
    waiting = []
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
  private static func csv(_ values: [QueryValue]) -> [UInt8] {
    var line = JSONBuffer(minimumCapacity: 1 << 8)
    for (index, value) in values.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      switch value {
      case .none: break
      case .data(let bytes): line.appendField(Data(bytes).base64EncodedString())
      case .text(let text): line.appendField(text)
      case .integer, .real: line.appendField(Self.text(value))
      }
    }
    line.append(UInt8(ascii: "\r"))
    return line.bytes()
  }

  private static func markdown(_ values: [QueryValue]) -> String {
    let cells = values.map { value in
      value == .none ? "" : Self.text(value).replacing(#/[\\|<]/#) { "\\\($0.output)" }
    }
    return "| \(cells.joined(separator: " | ")) |"
  }
}

/// Writes the rows of a query as lines of JSON.
struct JSONRows {
  private let printer: JSONPrinter
  /// The names of the columns, made unique: a repeated name gets a number.
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
    var row = JSONMembers()
    for (name, value) in zip(names, values) { row.append(name, Self.value(value)) }
    try printer.line(["type": "row", "values": row])
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
