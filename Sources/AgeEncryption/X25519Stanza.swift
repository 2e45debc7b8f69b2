internal import Crypto

/// The stanza for a recipient with an X25519 key: `X25519 SHARE`.
enum X25519Stanza {
  static let type = "X25519"
  private static let purpose = Array("age-encryption.org/v1/X25519".utf8)

  static func wrap(
    _ fileKey: FileKey, for recipient: Curve25519.KeyAgreement.PublicKey
  ) throws(AgeError) -> AgeStanza {
    let ephemeral = Curve25519.KeyAgreement.PrivateKey()
    let share = Array(ephemeral.publicKey.rawRepresentation)
    guard
      let key = wrappingKey(ephemeral, recipient, salt: share + Array(recipient.rawRepresentation))
    else { throw AgeError(.invalidRecipient, "a recipient is a weak key that protects nothing") }
    return AgeStanza(
      arguments: [type, String(decoding: CanonicalBase64.encode(share), as: UTF8.self)],
      body: fileKey.wrapped(with: key))
  }

  /// Unwraps the file key.
  ///
  /// - Returns: nil if the stanza is for another recipient.
  /// - Throws: `damaged-encryption` if it breaks the rules.
  static func unwrap(
    _ stanza: AgeStanza, with identity: Curve25519.KeyAgreement.PrivateKey
  ) throws(AgeError) -> FileKey? {
    guard stanza.arguments.count == 2,
      let share = CanonicalBase64.decode(Array(stanza.arguments[1].utf8)[...]), share.count == 32,
      stanza.body.count == FileKey.size + ChunkCipher.tagSize,
      let ephemeral = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: share),
      let key = wrappingKey(
        identity, ephemeral, salt: share + Array(identity.publicKey.rawRepresentation))
    else { throw AgeError(.damaged, "invalid header: invalid X25519 stanza") }
    return FileKey.unwrapped(stanza.body, with: key)
  }

  /// The key for the body; nil if the shared secret is zero, as with points of low order.
  private static func wrappingKey(
    _ own: Curve25519.KeyAgreement.PrivateKey, _ other: Curve25519.KeyAgreement.PublicKey,
    salt: [UInt8]
  ) -> SymmetricKey? {
    guard let secret = try? own.sharedSecretFromKeyAgreement(with: other),
      unsafe secret.withUnsafeBytes({ unsafe $0.reduce(0, |) }) != 0
    else { return nil }
    return secret.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: salt, sharedInfo: purpose, outputByteCount: 32)
  }
}
