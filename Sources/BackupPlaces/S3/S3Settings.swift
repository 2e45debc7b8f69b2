package import CoreDataModel
internal import Foundation
internal import POSIX

/// How to reach an object store: the settings that the AWS tools take from the environment and
/// their files.
///
/// The variables are `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_PROFILE`,
/// `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, `AWS_CA_BUNDLE`,
/// `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE`. The environment comes before the files.
package struct S3Settings: Sendable {
  let credentials: S3Credentials
  let region: String
  let endpoint: S3Endpoint
  /// Whether the bucket is a part of the path, not of the host's name.
  let isPathStyle: Bool
  /// The path of a file with the certificates of authorities to trust; nil for the system's
  /// certificates.
  let authorities: String?
  /// The user names and passwords of proxies, which messages of the transport may repeat.
  private let proxyLogins: [String]

  /// The region for services without regions.
  private static let usualRegion = "us-east-1"

  /// Reads the settings for a bucket.
  ///
  /// - Throws: `access-denied` without keys, and for a file that cannot be read; `invalid-place` for an
  ///   endpoint that is no URL.
  package init(environment: [String: String], for address: S3Address) throws(CofferError) {
    proxyLogins = Self.proxyLogins(environment)
    let source = try AWSProfile(environment, for: address.description)
    credentials = try source.credentials()
    let region = source.first(of: ["AWS_REGION", "AWS_DEFAULT_REGION"]) ?? source.config["region"]
    self.region = region ?? Self.usualRegion
    authorities = source.first(of: ["AWS_CA_BUNDLE"]) ?? source.config["ca_bundle"]
    let given = source.endpoint
    if let given {
      guard let endpoint = S3Endpoint(given) else {
        throw CofferError(
          .invalidPlace, path: address.description, detail: "the endpoint is not a URL",
          advice: "Set AWS_ENDPOINT_URL_S3 to a URL such as https://HOST:PORT.")
      }
      self.endpoint = endpoint
    } else {
      endpoint = S3Endpoint(region: self.region)
    }
    // Certificates of *.HOST do not cover names with more dots.
    isPathStyle =
      switch source.config["s3.addressing_style"] {
      case "virtual": false
      case "path": true
      default: given != nil || address.bucket.contains(".")
      }
  }

  /// The text before the `@` in the addresses of proxies, which need not be valid URLs.
  private static func proxyLogins(_ environment: [String: String]) -> [String] {
    environment.filter { ["http_proxy", "https_proxy", "all_proxy"].contains($0.key.lowercased()) }
      .compactMap { _, address in
        guard let end = address.lastIndex(of: "@") else { return nil }
        let start = address.range(of: "://")?.upperBound ?? address.startIndex
        return start < end ? String(address[start..<end]) : nil
      }
  }

  /// A text without the secrets, if it repeats them.
  func redacted(_ text: String) -> String {
    proxyLogins.reduce(credentials.redacted(text)) { $0.replacing($1, with: "…") }
  }
}

/// A profile of the AWS tools, overridden by the environment.
private struct AWSProfile {
  private let environment: [String: String]
  private let address: String
  private let name: String
  private let shared: [String: String]
  /// The settings of the profile in `config`.
  let config: [String: String]
  private let services: [String: String]

  /// The greatest size of a file of settings in bytes.
  private static let maxSize = 1 << 20

  init(_ environment: [String: String], for address: String) throws(CofferError) {
    (self.environment, self.address) = (environment, address)
    let chosen = Self.value("AWS_PROFILE", environment)
    name = chosen ?? "default"
    let config = try Self.file("AWS_CONFIG_FILE", "config", environment)
    let shared = try Self.file("AWS_SHARED_CREDENTIALS_FILE", "credentials", environment)
    let (found, keys) = (
      config.profile(name, isPrefixed: true), shared.profile(name, isPrefixed: false)
    )
    if let chosen, found == nil, keys == nil {
      throw CofferError(
        .accessDenied, path: address, detail: "there is no profile \(chosen)",
        advice: "Check AWS_PROFILE and the files in ~/.aws.")
    }
    self.config = found ?? [:]
    self.shared = keys ?? [:]
    services = found?["services"].flatMap { config.sections["services \($0)"] } ?? [:]
  }

  /// The first variable of some that is set and not empty.
  func first(of names: [String]) -> String? {
    for name in names {
      if let value = Self.value(name, environment) { return value }
    }
    return nil
  }

  /// The endpoint that is set for S3, or else for all services.
  var endpoint: String? {
    first(of: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]) ?? services["s3.endpoint_url"]
      ?? config["endpoint_url"]
  }

  func credentials() throws(CofferError) -> S3Credentials {
    if let id = first(of: ["AWS_ACCESS_KEY_ID"]),
      let secret = first(of: ["AWS_SECRET_ACCESS_KEY"])
    {
      return try checked(id, secret, first(of: ["AWS_SESSION_TOKEN"]))
    }
    for file in [shared, config] {
      if let id = file["aws_access_key_id"], let secret = file["aws_secret_access_key"] {
        return try checked(id, secret, file["aws_session_token"])
      }
    }
    let others = ["role_arn", "sso_session", "sso_start_url", "credential_process"]
    let hasOthers = others.contains { config[$0] != nil || shared[$0] != nil }
    throw CofferError(
      .accessDenied, path: address,
      detail: hasOthers
        ? "the profile \(name) has no keys" : "no keys are set for the object store",
      advice: hasOthers
        ? "Let the AWS tools fetch keys first: eval \"$(aws configure export-credentials --format env)\""
        : "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials.")
  }

  /// Keys that can be sent in the head of a request.
  private func checked(
    _ id: String, _ secret: String, _ token: String?
  ) throws(CofferError) -> S3Credentials {
    let isPlain = [id, token ?? ""].allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
    guard isPlain else {
      throw CofferError(
        .accessDenied, path: address,
        detail: "the keys contain characters that are not allowed in keys",
        advice: "Check for a line break or a space that was copied with them.")
    }
    return S3Credentials(
      accessKeyID: id, secretAccessKey: secret,
      sessionToken: token.flatMap { $0.isEmpty ? nil : $0 })
  }

  private static func value(_ name: String, _ environment: [String: String]) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A file of settings; empty if it is not there.
  private static func file(
    _ variable: String, _ usual: String, _ environment: [String: String]
  ) throws(CofferError) -> AWSProfileFile {
    let home = value("HOME", environment)
    var path = value(variable, environment) ?? "~/.aws/\(usual)"
    if path.hasPrefix("~/") {
      guard let home else { return AWSProfileFile("") }
      path = home + path.dropFirst(1)
    }
    do throws(SystemError) {
      let bytes = try FileBytes.contents(of: path, upTo: maxSize)
      return AWSProfileFile(String(decoding: bytes, as: UTF8.self))
    } catch {
      if error.isMissing { return AWSProfileFile("") }
      throw CofferError(.accessDenied, path: path, error)
    }
  }
}

/// The service that keeps a bucket, by the beginning of its URLs.
struct S3Endpoint: Sendable, Equatable {
  /// `https`, or `http` if the endpoint begins with it.
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
  /// - Returns: nil for any other text, and for a URL with a user, a query or a fragment.
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
