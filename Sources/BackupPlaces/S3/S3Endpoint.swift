/// The service that keeps a bucket, by the beginning of its URLs.
struct S3Endpoint: Sendable, Equatable {
  /// `https`, or `http` where the endpoint says so.
  let scheme: String
  /// The host, with its port if there is one.
  let authority: String
  /// The path before the bucket, without a slash at its end.
  let path: String

  /// Amazon's endpoint of a region.
  init(region: String) {
    scheme = "https"
    authority =
      region.hasPrefix("cn-") ? "s3.\(region).amazonaws.com.cn" : "s3.\(region).amazonaws.com"
    path = ""
  }

  /// Reads an endpoint, such as `https://minio.example.org:9000`; `https` may be left out.
  ///
  /// - Returns: nil for what is no such URL, and for one with a user, a query or a fragment.
  init?(_ text: String) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    scheme = parts.count > 1 ? parts[0].lowercased() : "https"
    guard let rest = parts.last, scheme == "https" || scheme == "http" else { return nil }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    authority = rest[..<slash].lowercased()
    var path = String(rest[slash...])
    while path.hasSuffix("/") { path.removeLast() }
    self.path = path
    guard !authority.isEmpty,
      authority.utf8.allSatisfy({ RequestSigner.isUnreserved($0) || ":[]".utf8.contains($0) }),
      path.utf8.allSatisfy({ RequestSigner.isUnreserved($0) || $0 == UInt8(ascii: "/") })
    else { return nil }
  }

  /// The beginning of URLs up to the path.
  var origin: String { "\(scheme)://\(authority)" }
}
