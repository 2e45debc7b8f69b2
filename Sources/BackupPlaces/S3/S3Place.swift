package import CoreDataModel
internal import Foundation

/// A bucket of an object store, or the objects below a prefix in it.
///
/// A file is an object that one request creates or assembles from parts, so it exists completely or
/// not at all. Failed requests are sent again. A request that creates a file adds its own mark,
/// which shows whether an earlier attempt succeeded although its response was lost.
package final class S3Place: BackupPlace {
  package var address: String { client.address.description }

  let client: S3Client

  /// The greatest file that is read as a whole, in bytes.
  private static let maxWhole: UInt64 = 1 << 30
  /// The greatest offset in a file, which no service exceeds.
  private static let maxOffset: UInt64 = 1 << 60

  /// Creates the place; nothing is sent until something is read or written.
  package convenience init(_ address: S3Address, _ settings: S3Settings) {
    self.init(
      S3Client(
        address: address, settings: settings,
        transport: CurlTransport(authorities: settings.authorities)))
  }

  init(_ client: S3Client) { self.client = client }

  package func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    var listing = S3Listing(client)
    return try listing.files(prefix)
  }

  package func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try PlaceName.check(name, at: address)
    let range = (range ?? 0..<Self.maxWhole + 1).clamped(to: 0..<Self.maxOffset)
    guard !range.isEmpty else {
      if try client.head(name) == nil {
        throw CofferError(.notFound, path: "\(address)/\(name)")
      }
      return []
    }
    var request = client.request("GET", key: client.address.key(name))
    request.headers["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
    request.maxAnswer = Int(min(UInt64(range.count), Self.maxWhole))
    let answer = try client.send(request)
    switch answer.status {
    case 206:
      guard let part = PartOfFile(answer), part.isAnswer(to: range, count: answer.body.count) else {
        throw CofferError(
          .readFailed, path: address, item: name,
          detail: "the service sent a different part than requested", advice: "Try again.")
      }
      return answer.body
    // The range begins beyond the end, as every range of an empty file does.
    case 416: return []
    // A service that sends the whole file, as it may.
    case 200 where range.lowerBound == 0 && answer.body.count <= range.count: return answer.body
    default: throw client.failure(answer, .readFailed, name)
    }
  }

  package func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try PlaceName.check(name, at: address)
    let upload = try S3Upload(client, name, from: file)
    // Saves the upload, and protects the file on services that do not know the condition.
    guard try client.head(name) == nil else { return false }
    return try upload.run(replaces: false)
  }

  package func put(_ name: String, from file: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    _ = try S3Upload(client, name, from: file).run(replaces: true)
  }

  package func delete(_ name: String) throws(CofferError) {
    try PlaceName.check(name, at: address)
    let answer = try client.send(client.request("DELETE", key: client.address.key(name)))
    guard answer.isSuccess || answer.status == 404 && answer.errorCode != "NoSuchBucket" else {
      throw client.failure(answer, .writeFailed, name)
    }
  }
}

/// The part of a file in an answer: `bytes 0-9/1000`.
private struct PartOfFile {
  private let first: UInt64
  private let last: UInt64
  /// The size of the file; nil if the service does not report it.
  private let size: UInt64?

  /// Reads the header; nil if it says nothing of this kind.
  init?(_ answer: S3Answer) {
    guard
      let match = answer.headers["content-range"]?
        .wholeMatch(of: #/bytes ([0-9]+)-([0-9]+)/([0-9]+|\*)/#),
      let first = UInt64(match.1), let last = UInt64(match.2), first <= last, last < .max
    else { return nil }
    (self.first, self.last) = (first, last)
    size = UInt64(match.3)
    guard size != nil || match.3 == "*" else { return nil }
  }

  /// Whether the part has the requested range, and ends early only at the end of the file.
  func isAnswer(to range: Range<UInt64>, count: Int) -> Bool {
    guard first == range.lowerBound, last < range.upperBound, last - first + 1 == UInt64(count)
    else { return false }
    return last + 1 == range.upperBound || size == last + 1
  }
}

extension S3Client {
  /// The headers of a file; nil if there is none.
  ///
  /// - Throws: errors of the service; a missing bucket cannot be distinguished from a missing
  ///   file.
  func head(_ name: String) throws(CofferError) -> [String: String]? {
    let answer = try send(request("HEAD", key: address.key(name)))
    if answer.isSuccess { return answer.headers }
    if answer.status == 404 { return nil }
    throw failure(answer, .readFailed, name)
  }
}

/// Lists the files of a place, page after page.
struct S3Listing {
  private let client: S3Client
  private var files: [PlacedFile] = []

  /// The greatest size of a page in bytes, which has a thousand names.
  private static let maxPage = 16 << 20
  /// The greatest number of pages, which a vault does not come near.
  private static let maxPageCount = 10_000

  init(_ client: S3Client) { self.client = client }

  /// The files whose names begin with a prefix, in order.
  ///
  /// Objects whose names no place has are left out.
  ///
  /// - Throws: `read-failed`, also for an answer that is no list; `not-found` without a bucket.
  mutating func files(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    var token: String?
    for _ in 0..<Self.maxPageCount {
      var request = client.request("GET", key: "")
      request.query = [
        "list-type": "2", "encoding-type": "url", "prefix": client.address.key(prefix),
      ]
      if let token { request.query["continuation-token"] = token }
      request.maxAnswer = Self.maxPage
      let answer = try client.send(request)
      guard answer.isSuccess else { throw client.failure(answer, .readFailed) }
      guard let page = try? MarkupElement.parse(answer.body, limits: .answer),
        page.name == "ListBucketResult"
      else {
        throw failure("its list of files cannot be read")
      }
      try add(page, prefix)
      guard page.text(of: "IsTruncated") == "true" else {
        return files.sorted { PlaceName.precedes($0.name, $1.name) }
      }
      guard let next = page.text(of: "NextContinuationToken"), next != token else {
        throw failure("its list of files has no end")
      }
      token = next
    }
    throw failure("its list of files has no end")
  }

  private mutating func add(_ page: MarkupElement, _ prefix: String) throws(CofferError) {
    let isEncoded = page.text(of: "EncodingType") == "url"
    for element in page.all("Contents") {
      guard let text = element.text(of: "Key"),
        let size = element.text(of: "Size").flatMap({ UInt64($0) }),
        let written = element.text(of: "LastModified").flatMap(Self.time),
        let key = isEncoded ? Self.decoded(text) : text
      else { throw failure("its list of files cannot be read") }
      guard let name = client.address.name(ofKey: key), name.utf8.starts(with: prefix.utf8) else {
        continue
      }
      files.append(PlacedFile(name: name, byteCount: size, written: written))
    }
  }

  private func failure(_ detail: String) -> CofferError {
    CofferError(.readFailed, path: client.address.description, detail: detail)
  }

  /// A time such as `2026-11-22T03:15:00.000Z`.
  private static func time(_ text: String) -> Date? {
    let whole = text.prefix { $0 != "." }
    return try? Date(whole.hasSuffix("Z") ? String(whole) : "\(whole)Z", strategy: .iso8601)
  }

  /// A key without its `%XX` and `+`; nil if it is not UTF-8.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard rest.count >= 2, let value = UInt8(digits, radix: 16) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
