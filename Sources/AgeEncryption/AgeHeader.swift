internal import Crypto

/// The header of an encrypted file.
package struct AgeHeader: Sendable {
  /// The first line of every file of this version, without its line break.
  package static let introduction = "age-encryption.org/v1"
  /// The beginning of the first line in every version.
  package static let family = "age-encryption.org/"
  /// The first line of a file in ASCII armor.
  package static let armor = "-----BEGIN AGE ENCRYPTED FILE-----"

  /// The file key, wrapped for each recipient; at least one.
  package let stanzas: [AgeStanza]
  /// The bytes that the authentication code covers: up to the dashes before it.
  let authenticated: [UInt8]
  /// The message authentication code, 32 bytes.
  let code: [UInt8]

  /// Creates a header for a wrapped file key.
  package init(_ stanzas: [AgeStanza], fileKey: FileKey) {
    self.stanzas = stanzas
    authenticated =
      Array("\(Self.introduction)\n".utf8) + stanzas.flatMap(\.encoded) + Array("---".utf8)
    code = Self.code(of: authenticated, fileKey)
  }

  init(stanzas: [AgeStanza], authenticated: [UInt8], code: [UInt8]) {
    self.stanzas = stanzas
    self.authenticated = authenticated
    self.code = code
  }

  /// The header, encoded as in a file.
  package var encoded: [UInt8] {
    authenticated + [UInt8(ascii: " ")] + CanonicalBase64.encode(code) + [UInt8(ascii: "\n")]
  }

  /// Finds the file key and authenticates the header with it.
  ///
  /// - Parameter identities: tried in this order.
  /// - Returns: the file key.
  /// - Throws: `no-matching-identity`; `wrong-passphrase`; `damaged-encryption` for a stanza that
  ///   breaks the rules of its type and for a changed header; `unsupported-encryption` for a
  ///   passphrase that would take too much time or memory.
  package func fileKey(for identities: [AgeIdentity]) throws(AgeError) -> FileKey {
    guard let key = try unwrapped(with: identities) else { throw mismatch(identities) }
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: authenticated, using: key.derived(salt: [], "header"))
    else { throw AgeError(.damaged, "its header was modified") }
    return key
  }

  private func unwrapped(with identities: [AgeIdentity]) throws(AgeError) -> FileKey? {
    for stanza in stanzas {
      for identity in identities {
        if let key = try identity.unwrap(stanza) { return key }
      }
    }
    return nil
  }

  private func mismatch(_ identities: [AgeIdentity]) -> AgeError {
    let needsPassphrase = stanzas.contains { $0.type == ScryptStanza.type }
    if needsPassphrase, identities.contains(where: \.isPassphrase) {
      return AgeError(.wrongPassphrase, "it was encrypted with another passphrase")
    }
    guard !needsPassphrase else {
      return AgeError(.noMatchingIdentity, "it is encrypted with a passphrase, not for an identity")
    }
    let others = Set(stanzas.map(\.type)).subtracting([X25519Stanza.type])
    let isForeign = others.count > 0 && !stanzas.contains { $0.type == X25519Stanza.type }
    return AgeError(
      .noMatchingIdentity,
      isForeign
        ? "it is encrypted for unsupported kinds of recipients"
        : identities.contains { !$0.isPassphrase }
          ? "it is encrypted for other recipients"
          : "it is encrypted for recipients, not with a passphrase",
      hint: isForeign ? "Decrypt it first: age -d -i IDENTITY FILE" : nil)
  }

  private static func code(of bytes: [UInt8], _ key: FileKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key.derived(salt: [], "header")))
  }
}

extension AgeHeader {
  /// Reads a header.
  ///
  /// - Parameter bytes: exactly the header, including its last line break.
  /// - Throws: `damaged-encryption` if it breaks the rules of the format; `unsupported-encryption`
  ///   for another version.
  package init(parsing bytes: [UInt8]) throws(AgeError) {
    var lines = Lines(rest: bytes[...])
    guard let first = lines.next() else { throw Self.damaged("it has no first line") }
    guard first.elementsEqual(Self.introduction.utf8) else {
      throw first.starts(with: Self.family.utf8)
        ? AgeError(.unsupported, "it uses another version of the format")
        : Self.damaged("its first line does not begin an age file")
    }
    var stanzas: [AgeStanza] = []
    while let line = lines.next() {
      if line.starts(with: "---".utf8) {
        guard lines.rest.isEmpty, line.starts(with: "--- ".utf8),
          let code = CanonicalBase64.decode(line.dropFirst(4)), code.count == 32
        else { throw Self.damaged("its last line is invalid") }
        try Self.check(stanzas)
        let end = line.startIndex + 3
        self.init(stanzas: stanzas, authenticated: Array(bytes[..<end]), code: code)
        return
      }
      stanzas.append(try Self.stanza(line, &lines))
    }
    throw Self.damaged("it has no last line")
  }

  private static func stanza(
    _ line: ArraySlice<UInt8>, _ lines: inout Lines
  ) throws(AgeError) -> AgeStanza {
    guard line.starts(with: "-> ".utf8) else { throw damaged("a stanza has an invalid beginning") }
    let arguments = line.dropFirst(3)
      .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x21...0x7e).contains($0) } })
    else { throw damaged("a stanza has invalid arguments") }
    var body: [UInt8] = []
    while true {
      guard let line = lines.next(), line.count <= AgeStanza.lineLength,
        let bytes = CanonicalBase64.decode(line)
      else { throw damaged("a stanza has an invalid body") }
      body += bytes
      if line.count < AgeStanza.lineLength { break }
    }
    return AgeStanza(arguments: arguments.map { String(decoding: $0, as: UTF8.self) }, body: body)
  }

  private static func check(_ stanzas: [AgeStanza]) throws(AgeError) {
    guard !stanzas.isEmpty else { throw damaged("it has no stanza") }
    if stanzas.count > 1, stanzas.contains(where: { $0.type == ScryptStanza.type }) {
      // Otherwise someone who knows the passphrase could not tell whether the file was encrypted
      // with it.
      throw damaged("a passphrase stanza must be the only stanza")
    }
  }

  private static func damaged(_ detail: String) -> AgeError {
    AgeError(.damaged, "invalid header: \(detail)")
  }

  /// The lines of a header, without line breaks.
  private struct Lines {
    var rest: ArraySlice<UInt8>

    /// The next line; nil if there is no complete line.
    mutating func next() -> ArraySlice<UInt8>? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[..<end]
    }
  }
}

/// Collects the bytes of a header from a stream.
struct AgeHeaderCollector {
  /// The bytes of the complete header, including its last line break.
  private(set) var header: [UInt8]?

  private var bytes: [UInt8] = []
  private var lineStart = 0

  /// Takes bytes up to the end of the header.
  ///
  /// - Returns: the number of bytes that belong to the header.
  /// - Throws: `damaged-encryption` for bytes that do not begin like a header, or a header that is
  ///   too long.
  mutating func take(_ more: UnsafeRawBufferPointer) throws(AgeError) -> Int {
    var count = 0
    for byte in unsafe Array(more) {
      bytes.append(byte)
      count += 1
      guard bytes.count <= AgeLimits.headerSize else {
        throw AgeError(.damaged, "its header is longer than \(AgeLimits.headerSize) bytes")
      }
      guard byte == UInt8(ascii: "\n") else { continue }
      let isLast = bytes[lineStart...].starts(with: "---".utf8)
      lineStart = bytes.count
      if isLast {
        header = bytes
        break
      }
    }
    return count
  }
}

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

  var type: String { arguments.first ?? "" }

  /// The number of letters per line of the body; a shorter line, which may be empty, ends it.
  static let lineLength = 64

  /// The stanza, encoded as in a header.
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
