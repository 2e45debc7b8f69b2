internal import CoreDataModel
internal import POSIX

/// Creates a file of a place from a local one.
struct S3Upload: ~Copyable {
  private let client: S3Client
  private let name: String
  private let descriptor: Int32
  private let size: Int
  private let mark = "\(OwnedName.random())\(OwnedName.random())"
  private var key: String { client.address.key(name) }

  /// The size of the parts of large files in bytes, at least.
  static let partSize = 16 << 20
  /// The greatest number of parts that services take.
  private static let maxPartCount = 10_000
  private static let markHeader = "x-amz-meta-coffer-upload"

  /// Opens the local file.
  init(_ client: S3Client, _ name: String, from file: String) throws(CofferError) {
    do throws(SystemError) {
      descriptor = try FileBytes.openRegular(file)
    } catch {
      throw CofferError(reading: file, error)
    }
    self.client = client
    self.name = name
    size = FileIO.size(of: descriptor) ?? 0
  }

  deinit { FileIO.close(descriptor) }

  /// Creates the file.
  ///
  /// - Returns: false if there is one that is not to be replaced.
  /// - Throws: `write-failed`, `read-failed` for the local file; errors that the service reports.
  func run(replaces: Bool) throws(CofferError) -> Bool {
    if size > Self.partSize { return try sendParts(replaces: replaces) }
    var request = client.request("PUT", key: key)
    request.headers[Self.markHeader] = mark
    request.body = .file(descriptor: descriptor, offset: 0, count: size)
    return try finish(request, replaces: replaces)
  }

  private func finish(_ request: HTTPRequest, replaces: Bool) throws(CofferError) -> Bool {
    var request = request
    if !replaces { request.headers["if-none-match"] = "*" }
    var answer = try client.send(request)
    if !replaces, answer.errorCode == "NotImplemented" {
      // A service without conditions, if there was no file a moment ago.
      request.headers["if-none-match"] = nil
      answer = try client.send(request)
    }
    if answer.isSuccess { return true }
    // Somebody created the file, or put the parts together: perhaps an attempt before this one whose
    // answer was lost.
    if !replaces && [409, 412].contains(answer.status) || answer.errorCode == "NoSuchUpload",
      let found = try client.head(name)
    {
      if found[Self.markHeader] == mark { return true }
      if !replaces { return false }
    }
    throw client.failure(answer, .writeFailed, answer.status == 404 ? nil : name)
  }

  // MARK: Parts

  /// Sends the file in parts, so that after a cut connection only a part is sent again.
  private func sendParts(replaces: Bool) throws(CofferError) -> Bool {
    var request = client.request("POST", key: key)
    request.query["uploads"] = ""
    request.headers[Self.markHeader] = mark
    request.maxAnswer = 1 << 16
    let answer = try client.send(request)
    guard answer.isSuccess,
      let id = (try? MarkupElement.parse(answer.body, limits: .answer))?.text(of: "UploadId"),
      !id.isEmpty
    else {
      throw client.failure(answer, .writeFailed)
    }
    do throws(CofferError) {
      let parts = try sendParts(of: id)
      // Long after the first look: on services that do not know the condition, it protects the file.
      if !replaces, try client.head(name) != nil {
        abandon(id)
        return false
      }
      var request = client.request("POST", key: key)
      // The service reads all parts once more, and sends white space meanwhile.
      request.takesLong = true
      request.query["uploadId"] = id
      request.headers["content-type"] = "application/xml"
      request.body = .bytes(Array(parts.utf8))
      request.maxAnswer = 1 << 16
      if try finish(request, replaces: replaces) { return true }
    } catch {
      abandon(id)
      throw error
    }
    abandon(id)
    return false
  }

  /// Sends the parts; returns the document that puts them together.
  private func sendParts(of id: String) throws(CofferError) -> String {
    let least = (size + Self.maxPartCount - 1) / Self.maxPartCount
    let partSize = max(Self.partSize, least)
    var document = "<CompleteMultipartUpload>"
    for (index, offset) in stride(from: 0, to: size, by: partSize).enumerated() {
      var request = client.request("PUT", key: key)
      request.query = ["partNumber": "\(index + 1)", "uploadId": id]
      request.body = .file(
        descriptor: descriptor, offset: offset, count: min(partSize, size - offset))
      let answer = try client.send(request)
      guard answer.isSuccess, let tag = answer.headers["etag"] else {
        throw client.failure(answer, .writeFailed)
      }
      let escaped = XMLText.escaped(tag)
      document += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(escaped)</ETag></Part>"
    }
    return document + "</CompleteMultipartUpload>"
  }

  /// Aborts the upload and its parts; the parts of a killed process stay until the bucket's rules
  /// remove them.
  private func abandon(_ id: String) {
    var request = client.request("DELETE", key: key)
    request.query["uploadId"] = id
    request.outlivesTask = true
    _ = try? client.send(request)
  }
}
