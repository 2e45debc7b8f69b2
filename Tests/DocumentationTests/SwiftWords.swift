/// The types that a Swift file declares and the types that it names, without comments and texts.
///
/// A scan of words, not a parser: it sees a type where its name stands.
struct SwiftWords {
  /// The types that other files of the module see: not nested, not private.
  private(set) var declared: Set<String> = []
  /// All words that begin like a type and are no type of the file's own.
  var used: Set<String> { words.subtracting(own) }
  /// Whether every brace that is opened is closed; false where the scan lost its way.
  var isBalanced: Bool { depth == 0 }

  private var own: Set<String> = []
  private var words: Set<String> = []
  private var depth = 0
  private let code: [UInt8]

  /// Scans the text of a file.
  init(_ text: String) {
    code = Array(text.utf8)
    var position = 0
    var declares = false
    var isPrivate = false
    while position < code.count {
      let byte = code[position]
      if let end = endOfComment(at: position) ?? endOfText(at: position) {
        position = end
      } else if Self.isLetter(byte) {
        let start = position
        while position < code.count, Self.isLetter(code[position]) || Self.isDigit(code[position]) {
          position += 1
        }
        let word = String(decoding: code[start..<position], as: UTF8.self)
        if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
          if declares {
            own.insert(word)
            if depth == 0, !isPrivate { declared.insert(word) }
          }
          words.insert(word)
        }
        if word == "private" || word == "fileprivate" { isPrivate = true }
        declares = Self.declarations.contains(word)
      } else {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
        if !Self.blanks.contains(byte) { (declares, isPrivate) = (false, false) }
        position += 1
      }
    }
  }

  private static let declarations: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]
  private static let blanks = Set(" \n".utf8)

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private func stands(_ text: StaticString, at position: Int) -> Bool {
    let bytes = Array(text.description.utf8)
    return code.count - position >= bytes.count
      && code[position..<position + bytes.count].elementsEqual(bytes)
  }

  /// The place behind a comment that begins there; nil where none does.
  private func endOfComment(at start: Int) -> Int? {
    guard code[start] == UInt8(ascii: "/"), start + 1 < code.count else { return nil }
    if code[start + 1] == UInt8(ascii: "/") {
      return code[start...].firstIndex(of: UInt8(ascii: "\n")) ?? code.count
    }
    guard code[start + 1] == UInt8(ascii: "*") else { return nil }
    var position = start + 2
    while position < code.count, !stands("*/", at: position) { position += 1 }
    return min(code.count, position + 2)
  }

  /// The place behind a text that begins there, with all that is put into it; nil where none does.
  private func endOfText(at start: Int) -> Int? {
    var position = start
    while position < code.count, code[position] == UInt8(ascii: "#") { position += 1 }
    let hashes = position - start
    guard position < code.count, code[position] == UInt8(ascii: "\"") else { return nil }
    let quotes = stands("\"\"\"", at: position) ? 3 : 1
    let close = Array(repeating: UInt8(ascii: "\""), count: quotes)
    let end = close + Array(repeating: UInt8(ascii: "#"), count: hashes)
    position += quotes
    while position < code.count {
      if code[position] == end[0], code[position...].starts(with: end) {
        return position + end.count
      }
      guard code[position] == UInt8(ascii: "\\"),
        code[(position + 1)...].prefix(hashes).allSatisfy({ $0 == UInt8(ascii: "#") })
      else {
        position += 1
        continue
      }
      position += 1 + hashes
      guard position < code.count else { break }
      position = code[position] == UInt8(ascii: "(") ? endOfParentheses(at: position) : position + 1
    }
    return code.count
  }

  private func endOfParentheses(at start: Int) -> Int {
    var (position, depth) = (start + 1, 1)
    while position < code.count, depth > 0 {
      if let end = endOfText(at: position) {
        position = end
        continue
      }
      if code[position] == UInt8(ascii: "(") { depth += 1 }
      if code[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
    }
    return position
  }
}
