internal import Crypto

/// A recipient of encrypted files: the public half of an identity.
package struct AgeRecipient: Sendable, Equatable, CustomStringConvertible {
  private let key: Curve25519.KeyAgreement.PublicKey
  private static let prefix = "age"

  init(_ key: Curve25519.KeyAgreement.PublicKey) { self.key = key }

  /// Reads the text of a recipient: `age1…`.
  ///
  /// - Throws: `invalid-recipient`, without the text, which may be a secret by mistake.
  package init(_ text: String) throws(AgeError) {
    if let problem = Self.problem(text) { throw problem }
    guard let (prefix, data) = Bech32.decode(text), prefix == Self.prefix, data.count == 32,
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: data)
    else {
      throw AgeError(
        .invalidRecipient, "it is not a complete age recipient",
        hint: "A recipient begins with age1 and has 62 characters. age-keygen -y prints it.")
    }
    self.key = key
  }

  /// The recipient as a text.
  package var description: String {
    Bech32.encode(prefix: Self.prefix, Array(key.rawRepresentation))
  }

  /// Whether both are the same recipient.
  package static func == (left: Self, right: Self) -> Bool {
    left.key.rawRepresentation == right.key.rawRepresentation
  }

  func wrap(_ fileKey: FileKey) throws(AgeError) -> AgeStanza {
    try X25519Stanza.wrap(fileKey, for: key)
  }

  /// A description of texts that are often mistaken for a recipient.
  private static func problem(_ text: String) -> AgeError? {
    let small = text.lowercased()
    if small.hasPrefix("age-secret-key-") || small.hasPrefix("age-plugin-") {
      return AgeError(
        .invalidRecipient, "it is a secret key, which must not appear on a command line",
        hint:
          "Others may have seen it. Create a new one, and give its recipient (age-keygen -y FILE).")
    }
    if small.hasPrefix("ssh-") || small.hasPrefix("age1pq1")
      || (small.hasPrefix("age1") && small.dropFirst(4).contains("1"))
    {
      return AgeError(
        .invalidRecipient, "it is an unsupported kind of recipient",
        hint: "Give a recipient that age-keygen created, or pipe the archive through age -r.")
    }
    return nil
  }
}
