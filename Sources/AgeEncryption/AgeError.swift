/// Why something cannot be encrypted or decrypted.
///
/// The texts hold no key, no passphrase, and nothing of the content.
package struct AgeError: Error, Equatable {
  /// The kind of an error.
  package enum Code: String, Sendable, CaseIterable {
    /// None of the identities belongs to a recipient of the file.
    case noMatchingIdentity = "no-matching-identity"
    /// The file is encrypted with another passphrase.
    case wrongPassphrase = "wrong-passphrase"
    /// The file breaks the rules of its format, or something in it is not what was encrypted.
    case damaged = "damaged-encryption"
    /// The file ends too early.
    case truncated = "truncated-encryption"
    /// The file uses what is not supported.
    case unsupported = "unsupported-encryption"
    /// A text is no recipient.
    case invalidRecipient = "invalid-recipient"
    /// A file or a text is no identity.
    case invalidIdentity = "invalid-identity"
    /// A file of identities is protected with a passphrase.
    case protectedIdentity = "protected-identity"
    /// A passphrase that cannot be one.
    case invalidPassphrase = "invalid-passphrase"
  }

  /// The kind of the error.
  package var code: Code
  /// Why, in one sentence.
  package var detail: String
  /// The next step, or nil.
  package var hint: String?

  /// Creates an error.
  package init(_ code: Code, _ detail: String, hint: String? = nil) {
    self.code = code
    self.detail = detail
    self.hint = hint
  }
}
