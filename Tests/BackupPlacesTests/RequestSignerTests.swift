internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import BackupPlaces

/// The examples of Amazon: "Signature Calculations for the Authorization Header: Transferring Payload in a
/// Single Chunk", in the API reference of S3.
@Suite struct RequestSignerTests {
  private let credentials = S3Credentials(
    accessKeyID: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", sessionToken: nil)
  private let time = Date(timeIntervalSince1970: 1_369_353_600)

  private func signed(
    _ method: String, _ path: String, query: [String: String] = [:],
    headers: [String: String] = [:],
    body: String = ""
  ) throws -> String {
    var request = HTTPRequest(
      method: method, origin: "https://examplebucket.s3.amazonaws.com",
      path: RequestSigner.encoded(path, keepsSlash: true), query: query, headers: headers,
      body: .bytes(Array(body.utf8)))
    RequestSigner(credentials: credentials, region: "us-east-1")
      .sign(&request, bodyDigest: try RequestSigner.digest(of: request.body), at: time)
    return try #require(request.headers["authorization"])
  }

  @Test func aPartOfAnObjectIsSignedAsPublished() throws {
    #expect(
      try signed("GET", "/test.txt", headers: ["range": "bytes=0-9"])
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func anUploadIsSignedAsPublished() throws {
    let text = try signed(
      "PUT", "/test$file.text",
      headers: [
        "date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY",
      ], body: "Welcome to Amazon S3.")
    #expect(
      text.hasSuffix("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
  }

  @Test func queriesAreSignedAsPublished() throws {
    #expect(
      try signed("GET", "/", query: ["lifecycle": ""])
        .hasSuffix("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    #expect(
      try signed("GET", "/", query: ["prefix": "J", "max-keys": "2"])
        .hasSuffix("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
  }

  @Test func queriesAreInTheOrderOfTheirNames() {
    let request = HTTPRequest(
      method: "GET", origin: "", path: "/", query: ["a-b": "1", "a": "é/", "B": ""])
    #expect(request.encodedQuery == "B=&a=%C3%A9%2F&a-b=1")
  }

  @Test func noTextOfTheKeysShowsThem() {
    let keys = S3Credentials(
      accessKeyID: "AKID", secretAccessKey: "hush", sessionToken: "token")
    var dumped = ""
    dump(keys, to: &dumped)
    for text in ["\(keys)", String(reflecting: keys), String(describing: [keys]), dumped] {
      #expect(!text.contains("hush") && !text.contains("token"), "\(text)")
    }
    #expect(keys.redacted("a hush b token") == "a … b …")
  }
}
