/// Reads the statement of a virtual table, without its module.
package enum VirtualTableText {
  /// The endings of the shadow tables of the modules that come with SQLite.
  private static let endings: [String: Set<String>] = [
    "rtree": ["node", "parent", "rowid"],
    "rtree_i32": ["node", "parent", "rowid"],
    "geopoly": ["node", "parent", "rowid"],
    "fts3": ["content", "segdir", "segments", "stat", "docsize"],
    "fts4": ["content", "segdir", "segments", "stat", "docsize"],
    "fts5": ["data", "idx", "content", "docsize", "config"],
  ]

  /// The module that a text names, or nil when the text does not create a virtual table.
  package static func module(of sql: String) -> String? {
    var tokens = SQLTokens(sql)
    guard tokens.next()?.uppercased() == "CREATE", tokens.next()?.uppercased() == "VIRTUAL",
      tokens.next()?.uppercased() == "TABLE"
    else { return nil }
    // Only the name, which may be quoted, is between TABLE and USING.
    _ = tokens.next()
    while let token = tokens.next() {
      if token.uppercased() == "USING" { return tokens.next().map(unquoted) }
    }
    return nil
  }

  static func isShadow(_ name: String, of owner: String, module: String, told: Bool) -> Bool {
    let (start, whole) = (Array(owner.utf8) + [0x5F], Array(name.utf8))
    guard whole.count > start.count,
      let head = String(validating: whole.prefix(start.count), as: UTF8.self),
      SchemaName(head) == SchemaName(owner + "_")
    else { return false }
    if told { return true }
    let ending = String(decoding: whole.dropFirst(start.count), as: UTF8.self)
    return endings[module.lowercased()]?.contains(ending.lowercased()) ?? false
  }

  private static func unquoted(_ token: String) -> String {
    guard let first = token.first, "\"'`[".contains(first), token.count >= 2 else { return token }
    return String(token.dropFirst().dropLast())
  }
}

/// The tokens of an SQL text: words, quoted names and texts with their quotes, single signs.
package struct SQLTokens: Sendable {
  private let bytes: [UInt8]
  /// The number of bytes before the next token, or before the blanks in front of it.
  package private(set) var position = 0

  /// Begins at the first token of a text.
  package init(_ sql: String) { bytes = Array(sql.utf8) }

  /// The next token, or nil at the end; comments and blanks are skipped.
  package mutating func next() -> String? {
    skipBlanks()
    guard position < bytes.count else { return nil }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): skipQuoted(bytes[position])
    case UInt8(ascii: "["): skipQuoted(UInt8(ascii: "]"))
    case let byte where Self.isWord(byte):
      while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
    default: position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5F || byte == 0x24 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }

  /// Moves past the end of a quoted token; a doubled quote means one quote.
  private mutating func skipQuoted(_ end: UInt8) {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == end else { continue }
      guard position < bytes.count, bytes[position] == end, end != UInt8(ascii: "]") else { return }
      position += 1
    }
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let following = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch (bytes[position], following) {
      case (0x09...0x0D, _), (0x20, _): position += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        position += 2
        while position < bytes.count {
          position += 1
          if bytes[position - 1] == UInt8(ascii: "*"), position < bytes.count,
            bytes[position] == UInt8(ascii: "/")
          {
            position += 1
            break
          }
        }
      default: return
      }
    }
  }
}
