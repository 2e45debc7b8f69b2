/// An identity file as `age-keygen` writes it: one secret key per line, comments and empty lines.
package enum AgeIdentityFile {
  /// Reads identities.
  ///
  /// - Returns: at least one identity.
  /// - Throws: `invalid-identity` with the line number and without the text. For other kinds of
  ///   identities, the hint says what to do.
  package static func identities(_ bytes: [UInt8]) throws(AgeError) -> [AgeIdentity] {
    guard bytes.count <= AgeLimits.identityFileSize else {
      throw AgeError(.invalidIdentity, "it is larger than \(AgeLimits.identityFileSize) bytes")
    }
    if bytes.starts(with: AgeHeader.family.utf8) || bytes.starts(with: AgeHeader.armor.utf8) {
      throw AgeError(.protectedIdentity, "it is protected with a passphrase")
    }
    var identities: [AgeIdentity] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      identities.append(try identity(text, line: number + 1))
    }
    guard !identities.isEmpty else {
      throw AgeError(
        .invalidIdentity, "it contains no secret key",
        hint: "Create an identity file with age-keygen.")
    }
    return identities
  }

  private static func identity(
    _ bytes: ArraySlice<UInt8>, line: Int
  ) throws(AgeError) -> AgeIdentity {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("AGE-PLUGIN-") {
      throw unsupported(line, "a plugin identity")
    }
    if text.hasPrefix("-----BEGIN") {
      throw unsupported(line, "a key of another kind, such as an SSH key")
    }
    if text.hasPrefix("AGE-SECRET-KEY-PQ-") {
      throw unsupported(line, "an unsupported kind of identity")
    }
    if text.hasPrefix("age1") {
      throw AgeError(
        .invalidIdentity, "line \(line) is a recipient, which cannot decrypt anything",
        hint: "Give the file with the matching secret key.")
    }
    do {
      return try AgeIdentity(text)
    } catch {
      throw AgeError(
        .invalidIdentity, "line \(line) is not a complete age secret key",
        hint:
          "An identity file contains lines that begin with AGE-SECRET-KEY-1, and comments that begin with #."
      )
    }
  }

  private static func unsupported(_ line: Int, _ what: String) -> AgeError {
    AgeError(
      .invalidIdentity, "line \(line) is \(what)",
      hint: "Decrypt the archive first: age -d -i IDENTITY FILE")
  }
}
