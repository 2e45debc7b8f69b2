internal import Crypto

/// What opens an encrypted file: a secret key, or a passphrase.
///
/// It has no text, neither as a description nor for a debugger.
package struct AgeIdentity: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  private enum Secret: Sendable {
    case x25519(Curve25519.KeyAgreement.PrivateKey)
    case passphrase(AgePassphrase)
  }

  private let secret: Secret

  /// What the text of a secret key begins with.
  package static let prefix = "AGE-SECRET-KEY-"

  /// Reads the text of a secret key: `AGE-SECRET-KEY-1…`.
  ///
  /// - Throws: `invalid-identity`, without the text.
  package init(_ text: String) throws(AgeError) {
    guard let (prefix, data) = Bech32.decode(text), prefix == Self.prefix, data.count == 32,
      let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: data)
    else { throw AgeError(.invalidIdentity, "it is not a whole secret key of age") }
    secret = .x25519(key)
  }

  /// Makes a new secret key.
  package init() { secret = .x25519(Curve25519.KeyAgreement.PrivateKey()) }

  /// An identity of a passphrase.
  package init(_ passphrase: AgePassphrase) { secret = .passphrase(passphrase) }

  /// Whether it is a passphrase.
  package var isPassphrase: Bool {
    if case .passphrase = secret { true } else { false }
  }

  /// Whom to encrypt for so that this opens it; nil for a passphrase.
  package var recipient: AgeRecipient? {
    guard case .x25519(let key) = secret else { return nil }
    return AgeRecipient(key.publicKey)
  }

  /// Unwraps the file key; nil for a stanza that is of another kind or for somebody else.
  func unwrap(_ stanza: AgeStanza) throws(AgeError) -> FileKey? {
    switch secret {
    case .x25519(let key) where stanza.type == X25519Stanza.type:
      try X25519Stanza.unwrap(stanza, with: key)
    case .passphrase(let passphrase) where stanza.type == ScryptStanza.type:
      try ScryptStanza.unwrap(stanza, with: passphrase)
    default: nil
    }
  }

  /// Says what it is and nothing of the secret.
  package var description: String { isPassphrase ? "a passphrase" : "an identity" }
  /// Shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether two open the same files.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left.secret, right.secret) {
    case (.x25519(let left), .x25519(let right)):
      left.publicKey.rawRepresentation == right.publicKey.rawRepresentation
    case (.passphrase(let left), .passphrase(let right)): left == right
    default: false
    }
  }
}
