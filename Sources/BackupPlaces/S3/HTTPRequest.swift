/// A request to an object store.
struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  var method: String
  /// The scheme, the host and the port.
  var origin: String
  /// The encoded path, which begins with a slash.
  var path: String
  /// The names and values of the query, not yet encoded.
  var query: [String: String] = [:]
  /// The headers, by names in lower case.
  var headers: [String: String] = [:]
  /// The content to send.
  var body = HTTPBody.none
  /// The greatest size of an answer that is not an error, in bytes.
  var maxAnswer = 0
  /// Whether the request is made even if the task is cancelled, because it cleans up.
  var outlivesTask = false
  /// Whether the service may work for minutes before it answers.
  var takesLong = false

  /// The query to send and sign: encoded, sorted by name.
  var encodedQuery: String {
    let encoded = query.map { name, value in
      (
        name: RequestSigner.encoded(name, keepsSlash: false),
        value: RequestSigner.encoded(value, keepsSlash: false)
      )
    }
    return encoded.sorted { PlaceName.precedes($0.name, $1.name) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  var url: String { origin + path + (query.isEmpty ? "" : "?\(encodedQuery)") }
}

/// The content that a request sends.
enum HTTPBody: Sendable, Equatable {
  case none
  case bytes([UInt8])
  /// A part of an open file, which no one changes.
  case file(descriptor: Int32, offset: Int, count: Int)

  /// The number of bytes.
  var count: Int {
    switch self {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .file(_, _, let count): count
    }
  }
}

/// The response to a request, with any status.
struct HTTPResponse: Sendable {
  /// The status, such as 200.
  var status: Int
  /// The headers, by names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
}

/// Why there is no answer.
enum HTTPFailure: Error, Equatable {
  case cancelled
  /// The connection failed, or nothing came in time: another attempt may succeed.
  case broken(String)
  /// No attempt would succeed.
  case impossible(String)
  /// The library that sends requests cannot be loaded.
  case noLibrary(String)
  case tooLong
  /// The local file could not be read to its end.
  case unreadable
}

/// Sends requests.
protocol HTTPTransport: Sendable {
  /// Sends a request and waits for the answer. Redirections are answers.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse
}
