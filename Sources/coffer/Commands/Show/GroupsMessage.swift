internal import CofferKit

/// The number of objects with each value of some properties.
struct GroupsMessage: Message {
  var names: [Name]
  var groups: [ObjectGroup]
  /// The maximum number of groups to show; nil for all.
  var limit: Int?
  var showsCounts: Bool

  private var total: Int { groups.reduce(0) { $0 + $1.count } }

  func write(to printer: TextPrinter) throws {
    guard !names.isEmpty else { return try printer.line("\(total)") }
    let header = names.map { Terminal.printable($0.text) } + (showsCounts ? ["objects"] : [])
    let rows = groups.prefix(limit ?? .max).map { group in
      group.values.map(\.line) + (showsCounts ? [String(group.count)] : [])
    }
    let aligned = AlignedRows(measuring: [header] + rows, style: printer.style)
    try printer.line(aligned.line(header, isHeader: true))
    for row in rows { try printer.line(aligned.line(row)) }
    if rows.count < groups.count { try printer.line("\n… and more; --limit 0 shows all") }
  }

  func write(to printer: JSONPrinter) throws {
    let shown = names.isEmpty ? [] : groups.prefix(limit ?? .max)
    for group in shown {
      var values = JSONMembers()
      for (name, value) in zip(names, group.values) {
        values.append(name.text, ObjectMessage.value(of: value))
      }
      var members: JSONMembers = ["type": "group", "values": values]
      if showsCounts { members.append("objects", group.count) }
      try printer.line(members)
    }
    try printer.summary(
      .done,
      [
        "objects": total, "groups": groups.count,
        "more": !names.isEmpty && shown.count < groups.count,
      ])
  }
}

extension ShownValue {
  /// The value in a line of text; empty for a value of several lines.
  var line: String {
    switch self {
    case .none: "–"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let number): String(number)
    case .real(let number): "\(number)".replacing("inf", with: "Infinity")
    case .text(let text): Terminal.escaped(text)
    case .date(let text): Terminal.printable(text)
    case .data(let count): QuantityText.bytes(count)
    case .content(let content): content.line
    case .file(let name): "file \(Terminal.printable(name))"
    case .tree, .composite: ""
    }
  }
}

extension ShownContent {
  /// The maximum length of a text in a line.
  private static let longestText = 200

  fileprivate var line: String {
    let bytes = QuantityText.bytes(count)
    if let text {
      let part = text.prefix(Self.longestText)
      let end = part.endIndex < text.endIndex ? "…" : ""
      return "\(kind == .json ? "JSON" : "UUID") \(Terminal.escaped(String(part)))\(end), \(bytes)"
    }
    let size = size.map { ", \($0.width) × \($0.height)" } ?? ""
    return "\(kind.rawValue.uppercased())\(size), \(bytes)"
  }
}
