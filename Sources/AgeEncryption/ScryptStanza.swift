internal import Crypto
internal import CryptoExtras

/// The stanza for a passphrase: `scrypt SALT WORK-FACTOR`, alone in its header.
enum ScryptStanza {
  static let type = "scrypt"
  private static let purpose = Array("age-encryption.org/v1/scrypt".utf8)
  private static let saltSize = 16

  static func wrap(
    _ fileKey: FileKey, with passphrase: AgePassphrase, workFactor: Int
  ) throws(AgeError) -> AgeStanza {
    let salt = RandomBytes.make(saltSize)
    let text = String(decoding: CanonicalBase64.encode(salt), as: UTF8.self)
    return AgeStanza(
      arguments: [type, text, String(workFactor)],
      body: fileKey.wrapped(with: try passphrase.key(salt: purpose + salt, workFactor: workFactor)))
  }

  /// Unwraps the file key.
  ///
  /// - Returns: nil for a different passphrase.
  /// - Throws: `damaged-encryption` if it breaks the rules; `unsupported-encryption` for a work
  ///   factor beyond the limit, which is refused without work.
  static func unwrap(
    _ stanza: AgeStanza, with passphrase: AgePassphrase
  ) throws(AgeError) -> FileKey? {
    guard stanza.arguments.count == 3,
      let salt = CanonicalBase64.decode(Array(stanza.arguments[1].utf8)[...]),
      salt.count == saltSize, let workFactor = workFactor(stanza.arguments[2]),
      stanza.body.count == FileKey.size + ChunkCipher.tagSize
    else { throw AgeError(.damaged, "invalid header: invalid scrypt stanza") }
    guard workFactor <= AgeLimits.maximumWorkFactor else {
      throw AgeError(
        .unsupported,
        "its passphrase needs too much time and memory: the work factor is \(workFactor), "
          + "and the limit is \(AgeLimits.maximumWorkFactor)",
        hint: "If you trust the file, decrypt it with another program.")
    }
    let key = try passphrase.key(salt: purpose + salt, workFactor: workFactor)
    return FileKey.unwrapped(stanza.body, with: key)
  }

  /// Reads a number without a sign and leading zeros.
  private static func workFactor(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}
