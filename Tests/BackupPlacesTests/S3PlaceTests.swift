internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import BackupPlaces

/// A bucket of a real service, beyond the behavior of all places.
@Suite(.enabled(if: S3Server.shared != nil, "\(S3Server.wanted)"))
struct S3PlaceTests {
  private let server: S3Server
  private let folder: TemporaryDirectory

  init() throws {
    server = try #require(S3Server.shared)
    folder = try TemporaryDirectory()
  }

  private func client(
    _ changes: [String: String] = [:], address: String? = nil, faults: Int? = nil,
    isSecure: Bool = false, attempts: Int = 2
  ) throws -> S3Client {
    let address = try S3Address(address ?? server.newAddress())
    let environment = server.environment(faults: faults, isSecure: isSecure)
    let settings = try S3Settings(environment: environment.merging(changes) { $1 }, for: address)
    return S3Client(
      address: address, settings: settings,
      transport: CurlTransport(authorities: settings.authorities),
      patience: .init(attempts: attempts, pause: 0.001))
  }

  /// The error that a call throws, which shows no secret.
  private func thrown(_ body: () throws -> Void) -> CofferError? {
    do {
      try body()
      return nil
    } catch {
      #expect(!server.secrets.contains { "\(error)".contains($0) })
      return error as? CofferError
    }
  }

  @Test func aWrongSecretIsRefused() throws {
    let place = S3Place(try client(["AWS_SECRET_ACCESS_KEY": "wrong"]))
    let error = thrown { _ = try place.list("") }
    #expect(error?.code == .accessDenied)
    #expect(error?.detail == "the service says 403 SignatureDoesNotMatch: It is a test.")
    // The answer to this request has no body.
    #expect(thrown { _ = try place.read("a", range: 0..<0) }?.code == .accessDenied)
  }

  @Test func aMissingBucketIsNotFound() throws {
    let place = S3Place(try client(address: "s3://nobody-made-this/vault"))
    let file = try folder.write([1], to: "file")
    #expect(thrown { _ = try place.list("") }?.code == .notFound)
    #expect(thrown { try place.put("a", from: file) }?.detail == "there is no such bucket")
    #expect(thrown { _ = try place.putIfAbsent("a", from: file) }?.code == .notFound)
  }

  @Test func aServiceThatIsNotThereIsUnreachable() throws {
    let place = S3Place(try client(["AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1"]))
    #expect(thrown { _ = try place.list("") }?.code == .placeUnreachable)
  }

  @Test func aFileInPartsComesBack() throws {
    let client = try client()
    let place = S3Place(client)
    let bytes = noise(S3Upload.partSize + 3)
    let file = try folder.write(bytes, to: "file")
    #expect(try place.putIfAbsent("a/large", from: file))
    #expect(try place.find("a/large")?.byteCount == UInt64(bytes.count))
    #expect(try place.read("a/large", range: 16_777_210..<1 << 40) == Array(bytes[16_777_210...]))
    try place.put("a/large", from: file)
    #expect(try !place.putIfAbsent("a/large", from: file))
    try place.delete("a/large")
    #expect(try place.list("") == [])
    #expect(try uploads(client) == 0)
  }

  /// The number of started uploads that were neither completed nor aborted.
  private func uploads(_ client: S3Client) throws -> Int {
    var request = client.request("GET", key: "")
    request.query = ["uploads": "", "prefix": client.address.prefix]
    request.maxAnswer = 1 << 20
    return try MarkupElement.parse(client.send(request).body, limits: .answer).all("Upload").count
  }

  @Test func partsOfAnUploadThatFailsAreGivenUp() throws {
    let client = try client()
    // The file of that name appears while the parts are sent.
    let other = try folder.write([1], to: "other")
    let racing = Hook(client.transport) { request throws(HTTPFailure) in
      guard request.query["partNumber"] == "2" else { return }
      do {
        try S3Place(client).put("a", from: other)
      } catch {
        throw .impossible("\(error)")
      }
    }
    let file = try folder.write(noise(S3Upload.partSize + 3), to: "file")
    var slow = client
    slow = S3Client(address: slow.address, settings: slow.settings, transport: racing)
    #expect(try !S3Place(slow).putIfAbsent("a", from: file))
    #expect(try S3Place(client).read("a") == [1])
    #expect(try uploads(client) == 0)
    let failing = Hook(client.transport) { request throws(HTTPFailure) in
      if request.query["partNumber"] == "2" { throw .unreadable }
    }
    slow = S3Client(address: slow.address, settings: slow.settings, transport: failing)
    #expect(thrown { try S3Place(slow).put("b", from: file) }?.code == .readFailed)
    #expect(try uploads(client) == 0)
    #expect(try S3Place(client).list("").map(\.name) == ["a"])
  }

  /// Does something before each request.
  private struct Hook: HTTPTransport {
    let transport: any HTTPTransport
    let before: @Sendable (HTTPRequest) throws(HTTPFailure) -> Void

    init(
      _ transport: any HTTPTransport,
      _ before: @escaping @Sendable (HTTPRequest) throws(HTTPFailure) -> Void
    ) { (self.transport, self.before) = (transport, before) }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      try before(request)
      return try transport.send(request)
    }
  }

  @Test func certificatesAreChecked() throws {
    let unknown = S3Place(try client(isSecure: true))
    let error = thrown { _ = try unknown.list("") }
    #expect(error?.code == .placeUnreachable)
    #expect(error?.hint?.contains("AWS_CA_BUNDLE") == true)
    let known = S3Place(
      try client(["AWS_CA_BUNDLE": server.certificate], isSecure: true, attempts: 3))
    try known.put("a", from: folder.write([1], to: "file"))
    #expect(try known.read("a") == [1])
  }

  @Test func anAnswerThatIsTooLongIsCutOff() throws {
    let client = try client()
    try S3Place(client).put("a", from: folder.write(noise(200_000), to: "file"))
    var request = client.request("GET", key: client.address.key("a"))
    request.maxAnswer = 100_000
    #expect(thrown { _ = try client.send(request) }?.code == .readFailed)
  }

  @Test func manyFilesAreListedInPages() throws {
    let client = try client()
    let place = S3Place(client)
    let file = try folder.write([1], to: "file")
    for number in 0..<5 { try place.put("\(number)", from: file) }
    let small = Paging(transport: client.transport)
    let paged = S3Place(
      S3Client(address: client.address, settings: client.settings, transport: small))
    #expect(try paged.list("").map(\.name) == ["0", "1", "2", "3", "4"])
    #expect(small.count.withLock(\.self) == 3)
  }

  /// Asks for two names a page.
  private final class Paging: HTTPTransport {
    let transport: any HTTPTransport
    let count = Mutex(0)

    init(transport: any HTTPTransport) { self.transport = transport }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      var request = request
      request.query["max-keys"] = "2"
      request.headers = request.headers.filter { !$0.key.hasPrefix("x-amz-") }
      request.headers["authorization"] = nil
      let environment = S3Server.shared?.environment() ?? [:]
      RequestSigner(
        credentials: S3Credentials(
          accessKeyID: environment["AWS_ACCESS_KEY_ID"] ?? "",
          secretAccessKey: environment["AWS_SECRET_ACCESS_KEY"] ?? "", sessionToken: nil),
        region: "us-east-1"
      ).sign(&request, bodyDigest: RequestSigner.digestOfNothing, at: Date())
      count.withLock { $0 += 1 }
      return try transport.send(request)
    }
  }

  @Test func aCancelledTaskEndsARequestThatHangs() async throws {
    let listener = try Listener()
    let place = S3Place(try client(["AWS_ENDPOINT_URL_S3": "http://127.0.0.1:\(listener.port)"]))
    let task = Task.detached { () -> CofferError? in
      do {
        _ = try place.list("")
        return nil
      } catch {
        return error as? CofferError
      }
    }
    // On a thread of its own: tasks have few.
    Thread.detachNewThread {
      try? listener.accept()
      task.cancel()
    }
    let error = try #require(await task.value)
    #expect(error.code == .placeUnreachable)
    #expect(error.detail == SystemError.cancelled.text)
  }

  // MARK: Faults

  /// Seeded random work with a place whose requests are refused, cut, answered twice, late or not at all:
  /// reported work is done, exactly once.
  @Test(arguments: [1, 2, 3])
  func faultsChangeNothing(_ seed: Int) throws {
    let address = server.newAddress()
    let place = S3Place(try client(address: address, faults: seed, attempts: 12))
    let plain = S3Place(try client(address: address))
    var random = SeededGenerator(seed: UInt64(seed))
    var expected: [String: [UInt8]] = [:]
    for step in 0..<60 {
      let name = "folder/\(Int.random(in: 0..<5, using: &random))"
      let bytes = noise(
        Int.random(in: 0..<3, using: &random) * 3_000, seed: UInt64(step + 1))
      let file = try folder.write(bytes, to: "file")
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let created = try place.putIfAbsent(name, from: file)
        #expect(created == (expected[name] == nil), "seed \(seed), step \(step)")
        if created { expected[name] = bytes }
      case 1:
        try place.put(name, from: file)
        expected[name] = bytes
      case 2:
        try place.delete(name)
        expected[name] = nil
      case 3:
        guard let content = expected[name] else { continue }
        #expect(try place.read(name) == content, "seed \(seed), step \(step)")
        #expect(
          try place.read(name, range: 1_000..<2_000) == Array(content.dropFirst(1000).prefix(1000)))
      default:
        let sizes = try place.list("").map { [$0.name: $0.byteCount] }
        #expect(
          sizes == expected.sorted { $0.key < $1.key }.map { [$0.key: UInt64($0.value.count)] },
          "seed \(seed), step \(step)")
      }
    }
    #expect(try plain.list("").map(\.name) == expected.keys.sorted())
    for (name, bytes) in expected { #expect(try plain.read(name) == bytes) }
  }

  @Test func faultsChangeNoFileInParts() throws {
    let address = server.newAddress()
    let place = S3Place(try client(address: address, faults: 4, attempts: 12))
    let bytes = noise(S3Upload.partSize + 3)
    let file = try folder.write(bytes, to: "file")
    #expect(try place.putIfAbsent("a", from: file))
    #expect(try !place.putIfAbsent("a", from: file))
    #expect(try S3Place(try client(address: address)).read("a") == bytes)
  }
}

/// A socket that accepts connections and never answers.
private final class Listener: Sendable {
  private let socket: Int32
  let port: UInt16

  init() throws {
    #if os(Linux)
      let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let socket = POSIX.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(socket, pointer, size) + listen(socket, 1)
          + getsockname(socket, pointer, &size)
      }
    }
    self.socket = socket
    port = UInt16(bigEndian: address.sin_port)
    guard code == 0 else { throw SystemError.last }
  }

  /// Waits for a connection.
  func accept() throws {
    guard POSIX.accept(socket, nil, nil) >= 0 else { throw SystemError.last }
  }

  deinit { FileIO.close(socket) }
}
