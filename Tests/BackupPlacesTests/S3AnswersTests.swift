internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import BackupPlaces

/// What a place makes of answers that a service on this machine does not give, as others may.
@Suite struct S3AnswersTests {
  /// Answers as a test says, and counts the requests.
  private final class Script: HTTPTransport {
    private let answer: @Sendable (HTTPRequest, Int) throws(HTTPFailure) -> HTTPResponse
    private let sent = Mutex<[HTTPRequest]>([])
    var requests: [HTTPRequest] { sent.withLock(\.self) }

    init(
      _ answer: @escaping @Sendable (HTTPRequest, Int) throws(HTTPFailure) -> HTTPResponse
    ) { self.answer = answer }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      let count = sent.withLock { sent in
        sent.append(request)
        return sent.count
      }
      return try answer(request, count)
    }
  }

  private static let environment = [
    "AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "token",
    "HOME": "/nonexistent",
  ]

  private func place(
    _ transport: any HTTPTransport, adding environment: [String: String] = [:]
  ) throws -> S3Place {
    let address = try S3Address("s3://bucket/vault")
    let all = Self.environment.merging(environment) { $1 }
    return S3Place(
      S3Client(
        address: address, settings: try S3Settings(environment: all, for: address),
        transport: transport, patience: .init(attempts: 4, pause: 0)))
  }

  private static func error(
    _ status: Int, _ code: String, _ message: String = "", headers: [String: String] = [:]
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers.merging(["content-type": "application/xml"]) { $1 },
      body: Array("<Error><Code>\(code)</Code><Message>\(message)</Message></Error>".utf8))
  }

  private static func list(_ content: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": "application/xml"],
      body: Array("<ListBucketResult>\(content)</ListBucketResult>".utf8))
  }

  private static func item(
    _ key: String, _ size: String = "1", written: String = "2026-11-22T03:15:00.000Z"
  ) -> String {
    "<Contents><Key>\(key)</Key><Size>\(size)</Size><LastModified>\(written)</LastModified></Contents>"
  }

  private func thrown(_ body: () throws -> Void) -> CofferError? {
    do {
      try body()
      return nil
    } catch {
      return error as? CofferError
    }
  }

  // MARK: Attempts

  @Test func passingErrorsAreTriedAgain() throws {
    for failing in [
      Self.error(503, "SlowDown"), Self.error(429, ""), Self.error(400, "RequestTimeout"),
      HTTPResponse(status: 500), Self.error(200, "InternalError"),
    ] {
      let script = Script { _, count throws(HTTPFailure) in
        count < 4 ? failing : Self.list(Self.item("vault/a"))
      }
      #expect(try place(script).list("").map(\.name) == ["a"])
      #expect(script.requests.count == 4)
    }
    let script = Script { _, _ throws(HTTPFailure) in Self.error(503, "SlowDown", "Later") }
    let error = thrown { _ = try place(script).list("") }
    #expect(error?.code == .placeUnreachable)
    #expect(error?.detail == "it says 503 SlowDown: Later, also after 4 attempts")
    #expect(script.requests.count == 4)
  }

  @Test func brokenConnectionsAreTriedAgain() throws {
    let script = Script { _, count throws(HTTPFailure) in
      if count < 4 { throw .broken("cut") }
      return Self.list("")
    }
    #expect(try place(script).list("") == [])
    let broken = Script { _, _ throws(HTTPFailure) in throw .broken("cut") }
    #expect(thrown { _ = try place(broken).list("") }?.code == .placeUnreachable)
    let impossible = Script { _, _ throws(HTTPFailure) in throw .impossible("no certificate") }
    #expect(thrown { _ = try place(impossible).list("") }?.code == .placeUnreachable)
    #expect(impossible.requests.count == 1)
  }

  @Test func aMissingLibraryIsNamedWithItsPackage() throws {
    let script = Script { _, _ throws(HTTPFailure) in throw .noLibrary("it is not installed") }
    let error = thrown { _ = try place(script).list("") }
    #expect(error?.detail == "libcurl is needed, and it is not installed")
    #expect(error?.hint?.contains("libcurl4") == true)
  }

  // MARK: Creation

  private func create(
    _ answer: @escaping @Sendable (HTTPRequest, Int) throws(HTTPFailure) -> HTTPResponse
  ) throws -> (Bool, [HTTPRequest]) {
    let folder = try TemporaryDirectory()
    let script = Script(answer)
    let result = try place(script).putIfAbsent("a", from: folder.write([1], to: "file"))
    return (result, script.requests)
  }

  @Test func whatAnotherCreatedMeanwhileStays() throws {
    for status in [409, 412] {
      let (created, requests) = try create { request, count throws(HTTPFailure) in
        if request.method == "PUT" { return Self.error(status, "Precondition") }
        return HTTPResponse(
          status: count == 1 ? 404 : 200, headers: ["x-amz-meta-coffer-upload": "another"])
      }
      #expect(!created)
      #expect(requests.map(\.method) == ["HEAD", "PUT", "HEAD"])
      #expect(requests[1].headers["if-none-match"] == "*")
    }
  }

  @Test func aServiceWithoutConditionsIsLookedAtBefore() throws {
    let (created, requests) = try create { request, _ throws(HTTPFailure) in
      switch request.method {
      case "HEAD": HTTPResponse(status: 404)
      default:
        request.headers["if-none-match"] == nil
          ? HTTPResponse(status: 200) : Self.error(501, "NotImplemented")
      }
    }
    #expect(created)
    #expect(requests.map(\.method) == ["HEAD", "PUT", "PUT"])
    let (second, _) = try create { _, _ throws(HTTPFailure) in HTTPResponse(status: 200) }
    #expect(!second)
  }

  /// A file that goes in two parts.
  private func largeFile(_ folder: TemporaryDirectory) throws -> String {
    let file = try folder.write([], to: "large")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.truncate(atOffset: UInt64(S3Upload.partSize) + 1)
    try handle.close()
    return file
  }

  private static func answerOfUpload(_ request: HTTPRequest) -> HTTPResponse {
    request.query["uploads"] == nil
      ? HTTPResponse(status: 200, headers: ["etag": "x"])
      : HTTPResponse(
        status: 200, body: Array("<Result><UploadId>U</UploadId></Result>".utf8))
  }

  @Test func aFileThatAppearsWhilePartsAreSentStaysWithoutConditionsToo() throws {
    let folder = try TemporaryDirectory()
    let script = Script { request, count throws(HTTPFailure) in
      request.method == "HEAD"
        ? HTTPResponse(status: count == 1 ? 404 : 200) : Self.answerOfUpload(request)
    }
    #expect(try !place(script).putIfAbsent("a", from: largeFile(folder)))
    #expect(
      script.requests.map(\.method) == ["HEAD", "POST", "PUT", "PUT", "HEAD", "DELETE"])
  }

  /// The service sends white space while it works, sometimes for minutes.
  @Test func partsAreGivenTimeToBePutTogether() throws {
    let folder = try TemporaryDirectory()
    let script = Script { request, _ throws(HTTPFailure) in Self.answerOfUpload(request) }
    try place(script).put("a", from: largeFile(folder))
    #expect(script.requests.map(\.takesLong) == [false, false, false, true])
  }

  @Test func whatCleansUpAfterACancelledTaskIsSentOnce() async throws {
    let folder = try TemporaryDirectory()
    let file = try largeFile(folder)
    let script = Script { request, _ throws(HTTPFailure) in
      if request.method == "DELETE" { throw .broken("the network is away") }
      guard request.query["partNumber"] == "2" else { return Self.answerOfUpload(request) }
      throw .cancelled
    }
    let place = try place(script)
    let task = Task.detached { () -> CofferError? in
      while !Task.isCancelled { await Task.yield() }
      do {
        try place.put("a", from: file)
        return nil
      } catch {
        return error as? CofferError
      }
    }
    task.cancel()
    let error = await task.value
    #expect(error?.detail == SystemError.cancelled.text)
    #expect(script.requests.count { $0.method == "DELETE" } == 1)
  }

  // MARK: Hostile answers

  @Test func namesThatNoPlaceHasAreLeftOut() throws {
    let keys = [
      "vault/a", "vault/../b", "vault//c", "vault/", "other/d", "vaulte", "vault/x&#x7F;y",
      "vault/z%00",
    ]
    let encoded = Script { _, _ throws(HTTPFailure) in
      Self.list("<EncodingType>url</EncodingType>" + keys.map { Self.item($0) }.joined())
    }
    #expect(try place(encoded).list("").map(\.name) == ["a"])
    // What is not encoded is taken as it is.
    let plain = Script { _, _ throws(HTTPFailure) in Self.list(Self.item("vault/z%00+")) }
    #expect(try place(plain).list("").map(\.name) == ["z%00+"])
  }

  @Test(arguments: [
    "", "<Error/>", "<ListBucketResult>", "<!DOCTYPE a><ListBucketResult/>", "{}",
    "<ListBucketResult>" + item("vault/a", "-1") + "</ListBucketResult>",
    "<ListBucketResult>" + item("vault/a", "99999999999999999999") + "</ListBucketResult>",
    "<ListBucketResult><Contents><Key>vault/a</Key></Contents></ListBucketResult>",
    "<ListBucketResult>" + item("vault/a", written: "") + "</ListBucketResult>",
    "<ListBucketResult>" + item("vault/a", written: "...") + "</ListBucketResult>",
    "<ListBucketResult><EncodingType>url</EncodingType>" + item("%ZZ") + "</ListBucketResult>",
    "<ListBucketResult><EncodingType>url</EncodingType>" + item("%FF") + "</ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>"
      + "</ListBucketResult>",
  ])
  func aListThatIsNoneIsRefused(_ body: String) throws {
    let script = Script { _, _ throws(HTTPFailure) in
      HTTPResponse(status: 200, body: Array(body.utf8))
    }
    #expect(thrown { _ = try place(script).list("") }?.code == .readFailed)
    #expect(script.requests.count <= 2)
  }

  @Test func aPartThatWasNotAskedForIsRefused() throws {
    for (status, range, count) in [
      (206, "bytes 0-3/9", 4), (206, "bytes 2-6/9", 5), (206, nil, 4), (200, nil, 4), (302, nil, 0),
      // More or fewer bytes than it says, and an end that is not that of the file.
      (206, "bytes 2-5/9", 3), (206, "bytes 2-4/9", 4), (206, "bytes 2-4/9", 3),
      (206, "bytes 2-4/*", 3), (206, "bytes 2-1/9", 0), (206, "bytes 2-4/", 3),
      (206, "bytes 2-18446744073709551615/9", 4), (206, "2-5/9", 4),
    ] {
      let script = Script { _, _ throws(HTTPFailure) in
        HTTPResponse(
          status: status, headers: range.map { ["content-range": $0] } ?? [:],
          body: [UInt8](repeating: 0, count: count))
      }
      let error = thrown { _ = try place(script).read("a", range: 2..<6) }
      #expect(error != nil, "\(status) \(range ?? "")")
    }
  }

  @Test func aPartEndsEarlyOnlyWithTheFile() throws {
    for (range, count) in [("bytes 2-5/9", 4), ("bytes 2-5/*", 4), ("bytes 2-4/5", 3)] {
      let script = Script { _, _ throws(HTTPFailure) in
        HTTPResponse(
          status: 206, headers: ["content-range": range], body: [UInt8](repeating: 7, count: count))
      }
      #expect(try place(script).read("a", range: 2..<6).count == count, "\(range)")
    }
  }

  /// libcurl repeats the address of a proxy that it does not understand.
  @Test(arguments: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
  func thePasswordOfAProxyIsNotShown(_ variable: String) throws {
    let proxy = "http://me:pass word@with:ats@proxy.example:x"
    let script = Script { _, _ throws(HTTPFailure) in
      throw .impossible("Unsupported proxy syntax in '\(proxy)': Malformed input")
    }
    let error = thrown { _ = try place(script, adding: [variable: proxy]).list("") }
    #expect(
      error?.detail
        == "Unsupported proxy syntax in 'http://…@proxy.example:x': Malformed input")
  }

  @Test func redirectionsAreToldNotFollowed() throws {
    let script = Script { _, _ throws(HTTPFailure) in
      Self.error(
        301, "PermanentRedirect",
        headers: ["location": "https://evil.example", "x-amz-bucket-region": "eu-south-1"])
    }
    let error = thrown { _ = try place(script).list("") }
    #expect(error?.hint == "The bucket is in another region: set AWS_REGION to eu-south-1.")
    #expect(script.requests.count == 1)
  }

  @Test func messagesAreCleanAndShort() throws {
    let message = "hush token \u{85}" + String(repeating: "long ", count: 200)
    let script = Script { _, _ throws(HTTPFailure) in Self.error(403, "AccessDenied", message) }
    let error = try #require(thrown { _ = try place(script).list("") })
    #expect(error.code == .accessDenied)
    #expect(error.detail.hasPrefix("the service says 403 AccessDenied: … … long long"))
    #expect(error.detail.count < 330)
  }

  @Test func aWrongClockIsReported() throws {
    let script = Script { _, _ throws(HTTPFailure) in Self.error(403, "RequestTimeTooSkewed") }
    let error = thrown { _ = try place(script).list("") }
    #expect(error?.hint == "Set the clock of this machine.")
  }
}
