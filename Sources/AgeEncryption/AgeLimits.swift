/// The bounds of what an encrypted file may demand before it is known to be genuine.
///
/// Sizes are in bytes.
package enum AgeLimits {
  /// The most bytes of a header; one recipient takes about a hundred.
  package static let headerSize = 256 << 10
  /// The most recipients that a file is written for, so that its header stays within the limit.
  package static let recipientCount = 1_000
  /// The work factor of a new file with a passphrase: 256 MiB, and about a second.
  package static let workFactor = 18
  /// The largest work factor that is accepted: 4 GiB, and about a quarter of a minute.
  package static let maximumWorkFactor = 22
  /// The most bytes of a file of identities.
  package static let identityFileSize = 1 << 20
  /// The most bytes of a passphrase.
  package static let passphraseSize = 4 << 10
}
