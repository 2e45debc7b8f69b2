internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Sends signed requests to a bucket, and sends them again where that may help.
struct S3Client: Sendable {
  /// The attempts for a request, and the pauses between them.
  struct Patience: Sendable {
    /// The maximum number of attempts.
    var attempts = 7
    /// The greatest pause after the first attempt in seconds; it doubles with each one.
    var pause = 0.2
    /// The greatest pause in seconds.
    var maxPause = 20.0
  }

  let address: S3Address
  let settings: S3Settings
  let transport: any HTTPTransport
  var patience = Patience()

  /// The status codes of a service that is busy or partly failed.
  private static let passingStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  private static let passingCodes: Set<String> = [
    "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "ThrottlingException",
    "RequestLimitExceeded", "BandwidthLimitExceeded", "ConditionalRequestConflict",
    "OperationAborted",
  ]

  /// Makes a request to the bucket, not yet signed; an empty key is for the bucket itself.
  func request(_ method: String, key: String) -> HTTPRequest {
    let endpoint = settings.endpoint
    var path = endpoint.path + (settings.isPathStyle ? "/\(address.bucket)" : "")
    if !key.isEmpty { path += "/" + RequestSigner.encoded(key, keepsSlash: true) }
    let origin =
      settings.isPathStyle
      ? endpoint.origin : "\(endpoint.scheme)://\(address.bucket).\(endpoint.authority)"
    return HTTPRequest(method: method, origin: origin, path: path.isEmpty ? "/" : path)
  }

  /// Sends a request until there is an answer that another attempt would not change.
  ///
  /// - Returns: the response, with any status.
  /// - Throws: `place-unreachable` after the last attempt.
  func send(_ request: HTTPRequest) throws(CofferError) -> S3Answer {
    do throws(HTTPFailure) {
      let digest = try RequestSigner.digest(of: request.body)
      let signer = RequestSigner(credentials: settings.credentials, region: settings.region)
      for attempt in 1... {
        var signed = request
        signer.sign(&signed, bodyDigest: digest, at: Date())
        // A request that cleans up after a cancelled task is sent once.
        let isLast =
          attempt >= patience.attempts || request.outlivesTask && Task<Never, Never>.isCancelled
        do throws(HTTPFailure) {
          let answer = S3Answer(try transport.send(signed))
          guard Self.isPassing(answer), !isLast else {
            if answer.status >= 500, Self.isPassing(answer) {
              throw .broken("it says \(text(of: answer)), also after \(attempt) attempts")
            }
            return answer
          }
        } catch {
          guard case .broken = error, !isLast else { throw error }
        }
        try pause(after: attempt, outlivesTask: request.outlivesTask)
      }
    } catch {
      throw failure(error)
    }
    // The loop has no other end.
    throw failure(.cancelled)
  }

  private static func isPassing(_ answer: S3Answer) -> Bool {
    passingStatuses.contains(answer.status) && answer.errorCode != "NotImplemented"
      || answer.errorCode.map(passingCodes.contains) ?? false
  }

  /// Waits for a random part of a time that doubles, so that many who failed at once do not come back
  /// at once.
  private func pause(after attempt: Int, outlivesTask: Bool) throws(HTTPFailure) {
    let greatest = min(patience.maxPause, patience.pause * pow(2, Double(attempt - 1)))
    let end = SystemClock.monotonicSeconds + .random(in: 0...greatest)
    while true {
      if !outlivesTask, Task<Never, Never>.isCancelled { throw .cancelled }
      let rest = end - SystemClock.monotonicSeconds
      guard rest > 0 else { return }
      SystemClock.pause(nanoseconds: Int64(min(rest, 0.1) * 1e9))
    }
  }

  // MARK: Errors

  /// The error about a request without an answer.
  private func failure(_ failure: HTTPFailure) -> CofferError {
    let path = address.description
    switch failure {
    case .cancelled: return CofferError(.placeUnreachable, path: path, .cancelled)
    case .broken(let text):
      return CofferError(
        .placeUnreachable, path: path, detail: cleaned(text),
        advice: "Check the network and the endpoint, and try again.")
    case .impossible(let text):
      return CofferError(
        .placeUnreachable, path: path, detail: cleaned(text),
        advice: "Check AWS_ENDPOINT_URL_S3 and, for your own certificate authority, AWS_CA_BUNDLE.")
    case .noLibrary(let reason):
      return CofferError(
        .placeUnreachable, path: path, detail: "libcurl is needed, and \(reason)",
        advice: "Install the package libcurl4 (Debian, Ubuntu) or libcurl (Fedora, Alpine).")
    case .tooLong:
      return CofferError(
        .readFailed, path: path, detail: "the service sends more bytes than requested")
    case .unreadable:
      return CofferError(.readFailed, path: path, detail: "a local file changed while it was sent")
    }
  }

  /// Explains an answer.
  ///
  /// The code is for errors without a more specific one; without a name, the whole place is meant.
  func failure(_ answer: S3Answer, _ code: CofferError.Code, _ name: String? = nil) -> CofferError {
    let path = address.description
    let text = "the service says \(text(of: answer))"
    switch (answer.status, answer.errorCode) {
    case (_, "RequestTimeTooSkewed"):
      return CofferError(
        .accessDenied, path: path, item: name, detail: text,
        advice: "Set the clock of this machine.")
    case (_, "NoSuchBucket"):
      return CofferError(
        .notFound, path: path, detail: "there is no such bucket",
        advice: "Create the bucket, or check its name, the endpoint and the region.")
    case (_, "AuthorizationHeaderMalformed"), (300..<400, _):
      let region = answer.headers["x-amz-bucket-region"] ?? answer.error?.text(of: "Region")
      return CofferError(
        .accessDenied, path: path, detail: text,
        advice: region.map { "The bucket is in another region: set AWS_REGION to \(cleaned($0))." }
          ?? "Check the endpoint and the region.")
    case (401, _), (403, _):
      return CofferError(
        .accessDenied, path: path, item: name, detail: text,
        advice: "Check the keys, their rights on the bucket, and the region.")
    case (404, _) where name != nil:
      return CofferError(.notFound, path: "\(path)/\(name ?? "")")
    case (408, _), (429, _), (500..., _):
      return CofferError(.placeUnreachable, path: path, item: name, detail: text)
    default: return CofferError(code, path: path, item: name, detail: text)
    }
  }

  /// The message of a response, in printable text.
  private func text(of answer: S3Answer) -> String {
    let message = answer.error?.text(of: "Message").map { ": \($0)" } ?? ""
    return cleaned("\(answer.status) \(answer.errorCode ?? "")\(message)")
  }

  /// A text of the service: short, without control characters and secrets.
  private func cleaned(_ text: String) -> String {
    let shown = settings.redacted(text).unicodeScalars
      .map { $0.properties.generalCategory == .control ? " " : $0 }
    let line = String(String.UnicodeScalarView(shown)).split(separator: " ").joined(separator: " ")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}

struct S3Answer: Sendable {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]
  /// The error that the response reports, even after a status of success; nil if it reports none.
  let error: MarkupElement?

  /// The code of the error; nil if the response has none.
  var errorCode: String? { error?.text(of: "Code") }
  /// Whether the request was carried out.
  var isSuccess: Bool { (200..<300).contains(status) && error == nil }

  init(_ response: HTTPResponse) {
    (status, headers, body) = (response.status, response.headers, response.body)
    // Results that take long begin with status 200, before they are known.
    let isLate =
      status == 200 && headers["content-type"]?.contains("xml") == true
      && String(decoding: body.prefix(1 << 16), as: UTF8.self).contains("<Error>")
    let root = status >= 300 || isLate ? try? MarkupElement.parse(body, limits: .answer) : nil
    error = root?.name == "Error" ? root : nil
  }
}
