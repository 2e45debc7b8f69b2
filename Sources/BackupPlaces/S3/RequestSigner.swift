internal import CoreDataModel
internal import Crypto
internal import Foundation
internal import POSIX

/// Signs requests with version 4 of Amazon's signatures.
///
/// Source: "Authenticating Requests: Using the Authorization Header" in the API reference of Amazon S3.
struct RequestSigner: Sendable {
  let credentials: S3Credentials
  let region: String

  private static let algorithm = "AWS4-HMAC-SHA256"
  private static let service = "s3"
  /// The digest of an empty body, in hexadecimal digits.
  static let digestOfNothing = Hexadecimal.text(SHA256.hash(data: [UInt8]()))

  /// Adds the headers that a signed request has.
  ///
  /// All headers of the request are signed. The digest is the SHA-256 of its body in hexadecimal digits.
  func sign(_ request: inout HTTPRequest, bodyDigest: String, at time: Date) {
    let stamp = Self.stamp(time)
    request.headers["host"] = String(request.origin.drop { $0 != "/" }.dropFirst(2))
    request.headers["x-amz-date"] = stamp
    request.headers["x-amz-content-sha256"] = bodyDigest
    if let token = credentials.sessionToken { request.headers["x-amz-security-token"] = token }
    let names = request.headers.keys.sorted { PlaceName.precedes($0, $1) }
    let signedNames = names.joined(separator: ";")
    let headers = names.map { "\($0):\(Self.folded(request.headers[$0] ?? ""))\n" }.joined()
    let canonical = [
      request.method, request.path, request.encodedQuery, headers, signedNames, bodyDigest,
    ].joined(separator: "\n")
    let scope = "\(stamp.prefix(8))/\(region)/\(Self.service)/aws4_request"
    let text = [
      Self.algorithm, stamp, scope, Hexadecimal.text(SHA256.hash(data: Array(canonical.utf8))),
    ].joined(separator: "\n")
    let signature = Hexadecimal.text(Self.code(text, key(on: String(stamp.prefix(8)))))
    request.headers["authorization"] =
      "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
      + "SignedHeaders=\(signedNames), Signature=\(signature)"
  }

  private func key(on day: String) -> SymmetricKey {
    var key = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
    for part in [day, region, Self.service, "aws4_request"] {
      key = SymmetricKey(data: Self.code(part, key))
    }
    return key
  }

  private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
  }

  /// A value without surrounding white space, and with single spaces inside.
  private static func folded(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }

  /// A time in UTC, as `20261123T031500Z`.
  private static func stamp(_ time: Date) -> String {
    let text = time.formatted(Date.ISO8601FormatStyle())
    return String(text.filter { !"-:".contains($0) })
  }

  // MARK: Bodies

  /// The SHA-256 of a body in hexadecimal digits.
  ///
  /// - Throws: ``HTTPFailure/unreadable`` for a file that is shorter than it was,
  ///   ``HTTPFailure/cancelled``.
  static func digest(of body: HTTPBody) throws(HTTPFailure) -> String {
    switch body {
    case .none: return digestOfNothing
    case .bytes(let bytes): return Hexadecimal.text(SHA256.hash(data: bytes))
    case .file(let descriptor, let offset, let count):
      var digest = SHA256()
      var done = 0
      while done < count {
        if Task<Never, Never>.isCancelled { throw .cancelled }
        guard
          let piece = try? FileBytes.read(
            descriptor, at: offset + done, count: min(1 << 20, count - done)),
          !piece.isEmpty
        else { throw .unreadable }
        digest.update(data: piece)
        done += piece.count
      }
      return Hexadecimal.text(digest.finalize())
    }
  }

  // MARK: Encoding

  /// Whether a character needs no encoding in a signed URL.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    PercentEncoding.isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  /// A text with every other byte of its UTF-8 as `%XX`.
  static func encoded(_ text: String, keepsSlash: Bool) -> String {
    PercentEncoding.encode(text) {
      isUnreserved($0) || keepsSlash && $0 == UInt8(ascii: "/")
    }
  }
}

/// The keys of an account of an object store.
///
/// Texts of this value never show the secret parts, and messages of a service are cleaned of them.
struct S3Credentials: Sendable, Equatable {
  /// The identifier of the key, which each request contains.
  let accessKeyID: String
  /// The secret that signs requests and never leaves this machine.
  let secretAccessKey: String
  /// The token of temporary keys; nil for others.
  let sessionToken: String?

  /// The text that replaces a secret.
  private static let hidden = "…"

  /// A text without the secrets, if it repeats them.
  func redacted(_ text: String) -> String {
    var text = text
    for secret in [secretAccessKey, sessionToken ?? ""] where !secret.isEmpty {
      text = text.replacing(secret, with: Self.hidden)
    }
    return text
  }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That there are keys, and nothing else.
  var description: String { "S3Credentials(\(Self.hidden))" }
  /// That there are keys, and nothing else.
  var debugDescription: String { description }
  /// No parts: a dump shows nothing.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
