internal import AgeEncryption

extension CofferError.Code {
  /// The code for one of encrypted bytes.
  init(_ code: AgeError.Code) {
    self =
      switch code {
      case .noMatchingIdentity: .noMatchingIdentity
      case .wrongPassphrase: .wrongPassphrase
      case .damaged: .damagedEncryption
      case .truncated: .truncatedEncryption
      case .unsupported: .unsupportedEncryption
      case .invalidRecipient: .invalidRecipient
      case .invalidIdentity: .invalidIdentity
      case .invalidPassphrase: .invalidPassphrase
      }
  }
}

extension CofferError {
  /// What went wrong with encryption, at a place.
  init(_ error: AgeError, path: String) {
    self.init(Code(error.code), path: path, detail: error.detail, hint: error.hint)
  }

  /// The error about an encrypted archive that nothing was given for.
  static func encrypted(_ path: String) -> CofferError {
    CofferError(
      .encryptedArchive, path: path, detail: "it opens with an identity or a passphrase only")
  }

  /// The error about an encrypted archive in the form for mails.
  static func armored(_ path: String) -> CofferError {
    CofferError(
      .unsupportedEncryption, path: path, detail: "it is armored, in lines of letters",
      advice: "Decrypt it first: age -d -i IDENTITY FILE")
  }
}

extension AgeError {
  /// Does something with encrypted bytes, and says of which file they are when it fails.
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
