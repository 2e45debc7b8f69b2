internal import Crypto

/// The means to open an encrypted file: a secret key or a passphrase.
///
/// It has no text representation, neither as a description nor for a debugger.
package struct AgeIdentity: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  private enum Secret: Sendable {
    case x25519(Curve25519.KeyAgreement.PrivateKey)
    case passphrase(AgePassphrase)
  }

  private let secret: Secret

  /// The beginning of the text of a secret key.
  package static let prefix = "AGE-SECRET-KEY-"

  /// Reads the text of a secret key: `AGE-SECRET-KEY-1…`; throws `invalid-identity`, without the text.
  package init(_ text: String) throws(AgeError) {
    guard let (prefix, data) = Bech32.decode(text), prefix == Self.prefix, data.count == 32,
      let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: data)
    else { throw AgeError(.invalidIdentity, "it is not a complete age secret key") }
    secret = .x25519(key)
  }

  /// Makes a new secret key.
  package init() { secret = .x25519(Curve25519.KeyAgreement.PrivateKey()) }

  /// Creates an identity from a passphrase.
  package init(_ passphrase: AgePassphrase) { secret = .passphrase(passphrase) }

  /// Whether it is a passphrase.
  package var isPassphrase: Bool {
    if case .passphrase = secret { true } else { false }
  }

  /// The recipient that this identity opens; nil for a passphrase.
  package var recipient: AgeRecipient? {
    guard case .x25519(let key) = secret else { return nil }
    return AgeRecipient(key.publicKey)
  }

  /// Unwraps the file key; nil for a stanza of another kind or for another recipient.
  func unwrap(_ stanza: AgeStanza) throws(AgeError) -> FileKey? {
    switch secret {
    case .x25519(let key) where stanza.type == X25519Stanza.type:
      try X25519Stanza.unwrap(stanza, with: key)
    case .passphrase(let passphrase) where stanza.type == ScryptStanza.type:
      try ScryptStanza.unwrap(stanza, with: passphrase)
    default: nil
    }
  }

  /// The kind of identity, without the secret.
  package var description: String { isPassphrase ? "a passphrase" : "an identity" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether both open the same files.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left.secret, right.secret) {
    case (.x25519(let left), .x25519(let right)):
      left.publicKey.rawRepresentation == right.publicKey.rawRepresentation
    case (.passphrase(let left), .passphrase(let right)): left == right
    default: false
    }
  }
}
