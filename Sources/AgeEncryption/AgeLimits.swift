/// Limits on what an encrypted file may demand before it is authenticated.
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
