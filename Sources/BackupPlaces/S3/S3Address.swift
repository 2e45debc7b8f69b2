package import CoreDataModel

/// The location of a vault on an object store: `s3://BUCKET/PREFIX`.
package struct S3Address: Sendable, Equatable, CustomStringConvertible {
  /// The beginning of such addresses.
  package static let scheme = "s3://"

  let bucket: String
  /// The prefix of the names of files, without a trailing slash; empty for the whole bucket.
  let prefix: String

  /// The address, without a slash at the end.
  package var description: String {
    Self.scheme + bucket + (prefix.isEmpty ? "" : "/\(prefix)")
  }

  /// Reads an address; throws `invalid-place`.
  package init(_ text: String) throws(CofferError) {
    let parts = text.dropFirst(Self.scheme.count)
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let bucket = parts.first.map(String.init) ?? ""
    var prefix = parts.count > 1 ? String(parts[1]) : ""
    while prefix.hasSuffix("/") { prefix.removeLast() }
    guard text.hasPrefix(Self.scheme), Self.isBucket(bucket),
      prefix.isEmpty || PlaceName.isValid(prefix)
    else {
      throw CofferError(
        .invalidPlace, path: text.contains("@") ? Self.scheme + "…" : text,
        detail: "it is not the address of a bucket, or of a part of one",
        advice: "Write it as s3://BUCKET/PREFIX.")
    }
    (self.bucket, self.prefix) = (bucket, prefix)
  }

  /// The key of a file, or the beginning of keys, in the bucket.
  func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

  /// The name of the file with a key; nil if the key belongs to no file of this place.
  func name(ofKey key: String) -> String? {
    let start = self.key("")
    guard key.utf8.starts(with: start.utf8) else { return nil }
    let name = String(Substring(key.utf8.dropFirst(start.utf8.count)))
    return PlaceName.isValid(name) ? name : nil
  }

  /// Whether a text can be the name of a bucket, old ones included.
  private static func isBucket(_ text: String) -> Bool {
    (3...255).contains(text.utf8.count)
      && text.utf8.allSatisfy { RequestSigner.isUnreserved($0) && $0 != UInt8(ascii: "~") }
      && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}
