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
        ? AgeError(.unsupported, "it is of another version of the format")
        : Self.damaged("its first line is not that of an encrypted file")
    }
    var stanzas: [AgeStanza] = []
    while let line = lines.next() {
      if line.starts(with: "---".utf8) {
        guard lines.rest.isEmpty, line.starts(with: "--- ".utf8),
          let code = CanonicalBase64.decode(line.dropFirst(4)), code.count == 32
        else { throw Self.damaged("its last line is wrong") }
        try Self.check(stanzas)
        let end = line.startIndex + 3
        self.init(stanzas: stanzas, authenticated: Array(bytes[..<end]), code: code)
        return
      }
      stanzas.append(try Self.stanza(line, &lines))
    }
    throw Self.damaged("it has no last line")
  }

  /// Reads a stanza after its first line.
  private static func stanza(
    _ line: ArraySlice<UInt8>, _ lines: inout Lines
  ) throws(AgeError) -> AgeStanza {
    guard line.starts(with: "-> ".utf8) else { throw damaged("a stanza begins wrongly") }
    let arguments = line.dropFirst(3)
      .split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x21...0x7e).contains($0) } })
    else { throw damaged("a stanza has wrong arguments") }
    var body: [UInt8] = []
    while true {
      guard let line = lines.next(), line.count <= AgeStanza.lineLength,
        let bytes = CanonicalBase64.decode(line)
      else { throw damaged("the body of a stanza is wrong") }
      body += bytes
      if line.count < AgeStanza.lineLength { break }
    }
    return AgeStanza(
      arguments: arguments.map { String(decoding: $0, as: UTF8.self) }, body: body)
  }

  private static func check(_ stanzas: [AgeStanza]) throws(AgeError) {
    guard !stanzas.isEmpty else { throw damaged("it has no stanza") }
    if stanzas.count > 1, stanzas.contains(where: { $0.type == ScryptStanza.type }) {
      // Or else who knows the passphrase could not tell whether it was what the file was encrypted with.
      throw damaged("the stanza of a passphrase is not the only one")
    }
  }

  private static func damaged(_ detail: String) -> AgeError {
    AgeError(.damaged, "the header breaks the rules of its format: \(detail)")
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
