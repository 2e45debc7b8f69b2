internal import AgeEncryption
internal import CoreDataModel

extension CofferError {
  /// The error about an encryption problem at a place.
  init(_ error: AgeError, path: String) {
    let code: Code =
      switch error.code {
      case .noMatchingIdentity: .noMatchingIdentity
      case .wrongPassphrase: .wrongPassphrase
      case .damaged: .damagedEncryption
      case .truncated: .truncatedEncryption
      case .unsupported: .unsupportedEncryption
      case .invalidRecipient: .invalidRecipient
      case .invalidIdentity, .protectedIdentity: .invalidIdentity
      case .invalidPassphrase: .invalidPassphrase
      }
    let advice: Advice? =
      switch error.code {
      case .protectedIdentity: .decryptIdentities
      case .wrongPassphrase: .givePassphrase
      default: error.hint.map(Advice.sentence)
      }
    self.init(code, path: path, detail: error.detail, advice: advice)
  }

  /// The error about an encrypted archive without a given identity or passphrase.
  static func encrypted(_ path: String) -> CofferError {
    CofferError(
      .encryptedArchive, path: path, detail: "it needs an identity or a passphrase",
      advice: .giveIdentity)
  }

  /// The error about an armored encrypted archive.
  static func armored(_ path: String) -> CofferError {
    CofferError(
      .unsupportedEncryption, path: path, detail: "it is armored (text instead of binary)",
      advice: "Decrypt it first: age -d -i IDENTITY FILE")
  }
}

extension AgeError {
  /// Runs a closure on encrypted bytes; its errors name the file.
  static func located<Result>(
    _ path: String, _ body: () throws(AgeError) -> Result
  ) throws(CofferError) -> Result {
    do {
      return try body()
    } catch {
      throw CofferError(error, path: path)
    }
  }
}
