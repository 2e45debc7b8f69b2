internal import CoreDataArchive

/// The answer of a tool: the summaries of its commands, then a page of their other lines.
///
/// Output arrives in pieces, and only the lines of the page are kept.
final class MCPAnswer {
  /// The maximum number of bytes of an answer, as a text in JSON.
  static let longest = 256 << 10
  /// The reserved bytes for the line about the page.
  private static let reserve = 1 << 10
  private static let summaryStart = #"{"type":"summary""#

  /// The range of the lines to show.
  struct Page {
    var offset = 0
    /// The maximum number of lines; nil for all that fit.
    var limit: Int?
    /// Whether the commands write all lines, not only the lines up to the end of the page.
    var isCounted = true
  }

  private let page: Page
  /// Transforms a line; nil leaves it out.
  private let edit: (String) -> String?
  private var (summaries, shown): ([String], [String]) = ([], [])
  /// The number of lines, and the lines that did not fit: all from some line on, but not a line that is larger than
  /// a whole answer.
  private var (count, next): (Int, Int?) = (0, nil)
  private var room = MCPAnswer.longest - MCPAnswer.reserve
  private var rest: [UInt8] = []
  private var isRestCut = false

  init(_ page: Page, edit: @escaping (String) -> String?) {
    self.page = page
    self.edit = edit
  }

  func take(_ piece: [UInt8]) {
    for part in piece.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      rest += part
      endLine()
    }
    rest += piece.suffix(from: piece.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
    if rest.count > Self.longest {
      isRestCut = true
      rest.removeAll()
    }
  }

  private func endLine() {
    defer { (rest, isRestCut) = ([], false) }
    let size = rest.count
    if isRestCut || size > Self.longest { return add(nil) }
    guard let line = edit(String(decoding: rest, as: UTF8.self)) else { return }
    guard line.hasPrefix(Self.summaryStart) else { return add(line) }
    summaries.append(line)
    room -= Self.size(line)
  }

  /// Adds a line; nil for a line that is too long for an answer.
  private func add(_ line: String?) {
    defer { count += 1 }
    guard count >= page.offset, next == nil else { return }
    guard page.limit.map({ shown.count < $0 }) ?? true else {
      next = count
      return
    }
    let line = line ?? #"{"type":"omitted","reason":"the line is longer than an answer"}"#
    let size = Self.size(line)
    guard size <= room || shown.isEmpty && size <= Self.longest - Self.reserve else {
      if size > Self.longest - Self.reserve { return add(nil) }
      next = count
      return
    }
    room -= size
    shown.append(line)
  }

  /// The bytes of a line in a text of JSON.
  private static func size(_ line: String) -> Int {
    line.utf8.reduce(2) { $0 + ($1 == 0x22 || $1 == 0x5C ? 2 : $1 < 0x20 ? 6 : 1) }
  }

  var text: String {
    var lines = summaries + shown
    let isFull = page.limit == shown.count && !page.isCounted && !shown.isEmpty
    let next = next ?? (isFull ? count : nil)
    if page.offset > 0 || next != nil {
      let members: JSONObject = [
        "type": .string("page"), "offset": .number(page.offset), "lines": .number(shown.count),
        "total": page.isCounted ? .number(count) : nil, "next": next.map(JSONValue.number),
      ]
      lines.append(
        String(decoding: JSONValue.object(members).bytes(layout: .compact), as: UTF8.self))
    }
    return lines.joined(separator: "\n")
  }
}
