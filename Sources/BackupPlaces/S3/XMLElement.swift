/// An element of the XML that an object store answers with: what such answers consist of, and nothing
/// else of XML.
///
/// Declarations of document types, and with them entities that could grow, are errors, so are comments,
/// sections of `CDATA` and deep nesting. Attributes are passed over.
package struct XMLElement: Sendable, Equatable {
  /// The name.
  package let name: String
  /// The text, without the text of nested elements.
  package private(set) var text = ""
  /// The elements in it.
  package private(set) var children: [XMLElement] = []

  /// Reads a document.
  ///
  /// - Returns: the root element; nil if the bytes are not XML.
  package init?(_ bytes: [UInt8]) {
    var reader = XMLReader(bytes)
    guard let root = reader.document() else { return nil }
    self = root
  }

  fileprivate init(name: String) { self.name = name }

  fileprivate mutating func append(_ text: String) { self.text += text }
  fileprivate mutating func append(_ child: XMLElement) { children.append(child) }

  /// The text of the first element of a name; nil if there is none.
  subscript(name: String) -> String? { children.first { $0.name == name }?.text }

  /// The elements of a name.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Reads XML, byte after byte.
private struct XMLReader {
  private let bytes: [UInt8]
  private var position = 0

  private static let greatestDepth = 8
  private static let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
  private static let entities: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
    "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
  ]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() -> XMLElement? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
    if skip("<?xml"), !skipPast("?>") { return nil }
    skipSpace()
    guard skip("<"), let root = element(depth: 1) else { return nil }
    skipSpace()
    return position == bytes.count ? root : nil
  }

  /// The rest of an element whose `<` is read.
  private mutating func element(depth: Int) -> XMLElement? {
    guard depth <= Self.greatestDepth, let name = name() else { return nil }
    var element = XMLElement(name: name)
    while true {
      skipSpace()
      if skip("/>") { return element }
      if skip(">") { break }
      guard self.name() != nil, skip("="), let quote = next(), quote == 0x22 || quote == 0x27,
        skipPast(quote)
      else { return nil }
    }
    while true {
      guard let text = text() else { return nil }
      element.append(text)
      if skip("</") {
        guard self.name() == name else { return nil }
        skipSpace()
        return skip(">") ? element : nil
      }
      guard skip("<"), let child = self.element(depth: depth + 1) else { return nil }
      element.append(child)
    }
  }

  private mutating func name() -> String? {
    let start = position
    while position < bytes.count, Self.isInName(bytes[position]) { position += 1 }
    return start < position ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    RequestSigner.isUnreserved(byte) && byte != UInt8(ascii: "~") || byte == UInt8(ascii: ":")
  }

  /// The text up to the next tag, which has to come.
  private mutating func text() -> String? {
    var text: [UInt8] = []
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "<"):
        position -= 1
        return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "&"):
        guard let character = reference() else { return nil }
        text += character
      default: text.append(byte)
      }
    }
    return nil
  }

  /// The character for a reference `&…;`, after its ampersand was read.
  private mutating func reference() -> [UInt8]? {
    guard let end = bytes[position...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else {
      return nil
    }
    let word = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end + 1
    if let byte = Self.entities[word] { return [byte] }
    guard word.hasPrefix("#") else { return nil }
    let number =
      word.hasPrefix("#x") ? UInt32(word.dropFirst(2), radix: 16) : UInt32(word.dropFirst())
    return number.flatMap(Unicode.Scalar.init).map { Array(String(Character($0)).utf8) }
  }

  private mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.space.contains(bytes[position]) { position += 1 }
  }

  /// Passes a text, if it stands here.
  private mutating func skip(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Passes everything up to the end of a text.
  private mutating func skipPast(_ text: String) -> Bool {
    while position < bytes.count {
      if skip(text) { return true }
      position += 1
    }
    return false
  }

  private mutating func skipPast(_ byte: UInt8) -> Bool {
    guard let end = bytes[position...].firstIndex(of: byte) else { return false }
    position = end + 1
    return true
  }
}
