internal import CoreDataModel
internal import Foundation

/// Lists the files of a place, page after page.
struct S3Listing {
  private let client: S3Client
  private var files: [PlacedFile] = []

  /// The greatest size of a page in bytes, which has a thousand names.
  private static let greatestPage = 16 << 20
  /// The greatest number of pages, which a vault does not come near.
  private static let greatestPageCount = 10_000

  init(_ client: S3Client) { self.client = client }

  /// The files whose names begin with a prefix, in order.
  ///
  /// Objects whose names no place has are left out.
  ///
  /// - Throws: `read-failed`, also for an answer that is no list; `not-found` without a bucket.
  mutating func files(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    var token: String?
    for _ in 0..<Self.greatestPageCount {
      var request = client.request("GET", key: "")
      request.query = [
        "list-type": "2", "encoding-type": "url", "prefix": client.address.key(prefix),
      ]
      if let token { request.query["continuation-token"] = token }
      request.greatestAnswer = Self.greatestPage
      let answer = try client.send(request)
      guard answer.isSuccess else { throw client.failure(answer, .readFailed) }
      guard let page = XMLElement(answer.body), page.name == "ListBucketResult" else {
        throw failure("its list of files cannot be read")
      }
      try add(page, prefix)
      guard page["IsTruncated"] == "true" else {
        return files.sorted { PlaceName.precedes($0.name, $1.name) }
      }
      guard let next = page["NextContinuationToken"], next != token else {
        throw failure("its list of files has no end")
      }
      token = next
    }
    throw failure("its list of files has no end")
  }

  private mutating func add(_ page: XMLElement, _ prefix: String) throws(CofferError) {
    let isEncoded = page["EncodingType"] == "url"
    for element in page.all("Contents") {
      guard let text = element["Key"], let size = element["Size"].flatMap({ UInt64($0) }),
        let written = element["LastModified"].flatMap(Self.time),
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
    let whole = text.split(separator: ".")[0]
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
