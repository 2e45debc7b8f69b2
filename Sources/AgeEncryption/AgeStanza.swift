/// A stanza of a header: the file key, wrapped for one recipient.
package struct AgeStanza: Sendable, Equatable {
  /// The type and its arguments; at least one, each of visible ASCII characters.
  package var arguments: [String]
  /// The body.
  package var body: [UInt8]

  /// Creates a stanza from its arguments and body.
  package init(arguments: [String], body: [UInt8]) {
    self.arguments = arguments
    self.body = body
  }

  /// The first argument.
  var type: String { arguments.first ?? "" }

  /// The number of letters per line of the body; a shorter line, which may be empty, ends it.
  static let lineLength = 64

  /// The stanza as it is in a header.
  var encoded: [UInt8] {
    var text = Array("-> \(arguments.joined(separator: " "))\n".utf8)
    var letters = CanonicalBase64.encode(body)[...]
    while letters.count >= Self.lineLength {
      text += letters.prefix(Self.lineLength)
      text.append(UInt8(ascii: "\n"))
      letters = letters.dropFirst(Self.lineLength)
    }
    text += letters
    text.append(UInt8(ascii: "\n"))
    return text
  }
}
