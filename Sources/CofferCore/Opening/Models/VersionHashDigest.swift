package import CoreDataModel
internal import Crypto
internal import Foundation

/// The digests that newer frameworks store with the version hashes.
///
/// Source: store-format, section 1. The entities are in ascending order of the code units of their
/// names, which is case-sensitive.
package struct VersionHashDigest: Sendable, Equatable {
  /// The digest of the names and the hashes, in base64.
  package let digest: String
  /// The checksum of the model, of the hashes alone, in base64.
  package let checksum: String

  /// Computes both from the hashes by entity name.
  package init(_ hashes: [Name: VersionHash]) {
    var digest = SHA512()
    var checksum = SHA256()
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      digest.update(data: Array(name.text.utf8))
      digest.update(data: hash.bytes)
      checksum.update(data: hash.bytes)
    }
    self.digest = Data(digest.finalize()).base64EncodedString()
    self.checksum = Data(checksum.finalize()).base64EncodedString()
  }
}
