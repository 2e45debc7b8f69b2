/// The reason why something cannot be encrypted or decrypted.
///
/// The texts contain no key, no passphrase, and none of the content.
package struct AgeError: Error, Equatable {
  /// The kind of an error.
  package enum Code: String, Sendable, CaseIterable {
    /// None of the identities belongs to a recipient of the file.
    case noMatchingIdentity = "no-matching-identity"
    /// The file is encrypted with a different passphrase.
    case wrongPassphrase = "wrong-passphrase"
    /// The file breaks the rules of its format, or was changed after encryption.
    case damaged = "damaged-encryption"
    /// The file ends too early.
    case truncated = "truncated-encryption"
    /// The file uses an unsupported feature.
    case unsupported = "unsupported-encryption"
    /// A text is not a recipient.
    case invalidRecipient = "invalid-recipient"
    /// A file or a text is not an identity.
    case invalidIdentity = "invalid-identity"
    case protectedIdentity = "protected-identity"
    /// A passphrase is empty or too long.
    case invalidPassphrase = "invalid-passphrase"
  }

  /// The kind of the error.
  package var code: Code
  /// The reason, in one sentence.
  package var detail: String
  /// The next step, or nil.
  package var hint: String?

  /// Creates an error with a code, a reason and an optional next step.
  package init(_ code: Code, _ detail: String, hint: String? = nil) {
    self.code = code
    self.detail = detail
    self.hint = hint
  }
}

/// Limits on the resources that an encrypted file may demand before it is authenticated.
///
/// Sizes are in bytes.
package enum AgeLimits {
  /// The maximum size of a header; a recipient takes about a hundred bytes.
  package static let headerSize = 256 << 10
  /// The maximum number of recipients of a new file, so that its header stays within the limit.
  package static let recipientCount = 1_000
  /// The work factor of a new file with a passphrase: 256 MiB and about a second.
  package static let workFactor = 18
  /// The maximum accepted work factor: 4 GiB and about 15 seconds.
  package static let maximumWorkFactor = 22
  /// The maximum size of an identity file.
  package static let identityFileSize = 1 << 20
  /// The maximum size of a passphrase.
  package static let passphraseSize = 4 << 10
}
