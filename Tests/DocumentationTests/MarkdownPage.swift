/// A page of the documentation, parsed as far as the tests need it.
struct MarkdownPage {
  /// A block of code between fences.
  struct Block {
    /// What stands behind the opening fence.
    var language: String
    /// The number of its first line.
    var line: Int
    /// The text.
    var text: String
  }

  /// The path from the folder of the project.
  let path: String
  /// The blocks of code.
  private(set) var blocks: [Block] = []
  /// The lines outside of blocks of code, with their numbers.
  private(set) var lines: [(number: Int, text: String)] = []

  /// Reads a page.
  init(_ path: String) throws {
    self.path = path
    var open: Block?
    let all = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in all.enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(language: String(line.dropFirst(3)), line: index + 2, text: "")
        }
      } else if open != nil {
        open?.text += line + "\n"
      } else {
        lines.append((index + 1, String(line)))
      }
    }
  }

  /// The text outside of blocks of code.
  var prose: String { lines.map(\.text).joined(separator: "\n") }

  /// The names that links to the headings use.
  var anchors: Set<String> {
    Set(lines.filter { $0.text.hasPrefix("#") }.map { Self.anchor(of: $0.text) })
  }

  /// The targets of links, with the numbers of their lines.
  var links: [(line: Int, target: String)] {
    lines.flatMap { line in
      line.text.matches(of: /\]\(([^)\s]+)\)/).map { (line.number, String($0.output.1)) }
    }
  }

  /// The section below a heading, up to the next heading of its level or above; nil without it.
  func section(_ heading: String) -> String? {
    guard let start = lines.firstIndex(where: { $0.text == heading }) else { return nil }
    let level = heading.prefix { $0 == "#" }.count
    let rest = lines[(start + 1)...]
    let end =
      rest.firstIndex { line in
        let count = line.text.prefix { $0 == "#" }.count
        return count > 0 && count <= level && line.text.dropFirst(count).hasPrefix(" ")
      } ?? lines.endIndex
    return lines[(start + 1)..<end].map(\.text).joined(separator: "\n")
  }

  /// The anchor of a heading, as the usual hosts of Markdown make it.
  private static func anchor(of heading: String) -> String {
    String(
      heading.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { character in
        if character == " " { return "-" }
        let isKept = character.isLetter || character.isNumber || "-_".contains(character)
        return isKept ? character : nil
      })
  }
}
