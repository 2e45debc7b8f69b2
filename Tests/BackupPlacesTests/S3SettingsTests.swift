internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import BackupPlaces

/// Settings are read as the AWS tools read them.
@Suite struct S3SettingsTests {
  private let folder: TemporaryDirectory
  private static let keys = ["AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "SECRET"]

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file(".aws"), withIntermediateDirectories: true)
  }

  private func settings(
    _ environment: [String: String], _ address: String = "s3://bucket/prefix"
  ) throws -> S3Settings {
    try S3Settings(
      environment: environment.merging(["HOME": folder.path]) { given, _ in given },
      for: S3Address(address))
  }

  private func write(_ text: String, to name: String) throws {
    _ = try folder.write(Array(text.utf8), to: ".aws/\(name)")
  }

  @Test func theEnvironmentIsEnough() throws {
    let settings = try settings(Self.keys)
    #expect(settings.credentials.accessKeyID == "ID")
    #expect(settings.credentials.sessionToken == nil)
    #expect(settings.region == "us-east-1")
    #expect(settings.endpoint.origin == "https://s3.us-east-1.amazonaws.com")
    #expect(!settings.isPathStyle)
    #expect(try self.settings(Self.keys, "s3://dotted.bucket").isPathStyle)
  }

  @Test func aRegionHasItsEndpoint() throws {
    let usual = Self.keys.merging(["AWS_DEFAULT_REGION": "eu-central-1"]) { $1 }
    #expect(
      try settings(usual).endpoint.origin == "https://s3.eu-central-1.amazonaws.com")
    let both = usual.merging(["AWS_REGION": "cn-north-1"]) { $1 }
    #expect(try settings(both).endpoint.origin == "https://s3.cn-north-1.amazonaws.com.cn")
  }

  @Test func profilesAreRead() throws {
    try write(
      """
      # A comment
      [default]
      aws_access_key_id=D1
      aws_secret_access_key = D2
      [nightly]
      aws_access_key_id = N1
      aws_secret_access_key = N2==
      aws_session_token = N3
      """, to: "credentials")
    try write(
      """
      [default]
      region = eu-west-1
      [profile nightly]
      region = eu-north-1
      endpoint_url = https://all.example.org
      s3 =
        addressing_style = virtual
      ca_bundle = /tmp/ca.pem
      services = mine
      [services mine]
      s3 =
        endpoint_url = https://s3.example.org:9000/base/
      """, to: "config")
    let usual = try settings([:])
    #expect(usual.credentials.accessKeyID == "D1")
    #expect(usual.region == "eu-west-1")
    let nightly = try settings(["AWS_PROFILE": "nightly"])
    #expect(
      nightly.credentials
        == S3Credentials(accessKeyID: "N1", secretAccessKey: "N2==", sessionToken: "N3"))
    #expect(nightly.region == "eu-north-1")
    #expect(nightly.endpoint == S3Endpoint("https://s3.example.org:9000/base"))
    #expect(!nightly.isPathStyle)
    #expect(nightly.authorities == "/tmp/ca.pem")
    // The environment comes first.
    let mixed = try settings(
      Self.keys.merging(["AWS_PROFILE": "nightly", "AWS_ENDPOINT_URL": "http://[::1]:9"]) { $1 })
    #expect(mixed.credentials.accessKeyID == "ID")
    #expect(mixed.endpoint.origin == "http://[::1]:9")
    let other = try folder.write(
      Array("[default]\naws_access_key_id=O\naws_secret_access_key=O".utf8), to: "other")
    #expect(
      try settings(["AWS_SHARED_CREDENTIALS_FILE": other]).credentials.accessKeyID == "O")
  }

  @Test func missingSettingsAreReported() throws {
    func told(_ environment: [String: String]) -> CofferError? {
      do {
        _ = try settings(environment)
        return nil
      } catch {
        return error as? CofferError
      }
    }
    #expect(told([:])?.detail == "no keys are set for the object store")
    #expect(told(["AWS_PROFILE": "none"])?.detail == "there is no profile none")
    try write("[profile sso]\nsso_session = x\nregion = r", to: "config")
    let sso = told(["AWS_PROFILE": "sso"])
    #expect(sso?.code == .accessDenied)
    #expect(sso?.hint?.contains("aws configure export-credentials") == true)
    #expect(told(Self.keys.merging(["AWS_ACCESS_KEY_ID": "a\nb"]) { $1 })?.code == .accessDenied)
    for endpoint in ["ftp://host", "https://", "https://user@host", "https://host/?a", "a b"] {
      let error = told(Self.keys.merging(["AWS_ENDPOINT_URL": endpoint]) { $1 })
      #expect(error?.code == .invalidPlace, "\(endpoint)")
    }
  }

  @Test func addressesAreChecked() throws {
    #expect(try S3Address("s3://bucket").description == "s3://bucket")
    #expect(try S3Address("s3://bucket/a/b/").description == "s3://bucket/a/b")
    #expect(try S3Address("s3://bucket/a").name(ofKey: "a/b/c") == "b/c")
    #expect(try S3Address("s3://bucket/a").name(ofKey: "ab/c") == nil)
    #expect(try S3Address("s3://bucket/a").name(ofKey: "a/../c") == nil)
    for text in ["s3://", "s3://ab", "s3://b cket", "s3://...", "s3://bucket/../a", "s3:bucket"] {
      #expect(codeThrown { _ = try S3Address(text) } == .invalidPlace, "\(text)")
    }
  }
}
