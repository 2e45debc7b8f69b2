internal import CCurl
internal import POSIX
internal import Synchronization

/// Sends requests with libcurl, which is loaded for the first one.
///
/// Certificates are checked, redirections are not followed, and nothing but HTTP is spoken. Proxies
/// come from the environment, as in every program that uses libcurl. Each exchange takes a handle
/// with its open connections from a pool.
final class CurlTransport: HTTPTransport {
  /// The maximum time to connect, and the maximum time without data, in seconds.
  struct Patience: Sendable {
    var connecting = 10
    var silence = 60
    /// The maximum time that a service may work on a request without sending anything, in seconds.
    var work = 600
    /// For requests that clean up after a cancelled task, in all.
    var cleaning = 1
  }

  private let authorities: String?
  private let patience: Patience
  private let pool = Mutex<[CurlHandle]>([])

  /// Creates a transport, which trusts the system's authorities without a file of their certificates.
  init(authorities: String? = nil, patience: Patience = Patience()) {
    self.authorities = authorities
    self.patience = patience
  }

  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
    let handle: CurlHandle
    if let idle = pool.withLock({ $0.popLast() }) {
      handle = idle
    } else {
      handle = try CurlHandle()
    }
    defer { pool.withLock { $0.append(handle) } }
    handle.reset()
    let exchange = CurlExchange(request)
    try handle.prepare(request, exchange, patience, authorities)
    let code = handle.perform(request, exchange)
    if exchange.isCancelled { throw .cancelled }
    if let failure = exchange.failure { throw failure }
    guard code == 0 else {
      let text = handle.text(code)
      throw CurlHandle.isFinal(code) ? .impossible(text) : .broken(text)
    }
    return HTTPResponse(status: handle.status, headers: exchange.headers, body: exchange.received)
  }
}

/// The data that an exchange sends and receives.
private final class CurlExchange {
  private(set) var received: [UInt8] = []
  private(set) var headers: [String: String] = [:]
  private(set) var failure: HTTPFailure?
  private(set) var isCancelled = false
  private let body: HTTPBody
  private let outlivesTask: Bool
  private let maxSize: Int
  private var sentCount = 0
  private var headerSize = 0

  /// The maximum size of an error response, and of all headers together, in bytes.
  private static let maxErrorSize = 1 << 16

  init(_ request: HTTPRequest) {
    body = request.body
    outlivesTask = request.outlivesTask
    maxSize = max(request.maxAnswer, Self.maxErrorSize)
  }

  func goesOn() -> Bool {
    if !outlivesTask, Task<Never, Never>.isCancelled { isCancelled = true }
    return !isCancelled && failure == nil
  }

  /// Takes a piece of the answer.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= maxSize - received.count else {
      failure = .tooLong
      return false
    }
    unsafe received.append(contentsOf: bytes)
    return goesOn()
  }

  /// Takes a line of the head; each interim response, such as 100, has its own head.
  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerSize += bytes.count
    guard headerSize <= Self.maxErrorSize else {
      failure = .tooLong
      return false
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") { headers = [:] }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace)
    headers[line[..<colon].lowercased()] = value.joined(separator: " ")
    return true
  }

  /// Provides the next piece of the body; returns the number of bytes, or nil if bytes are missing.
  func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard goesOn() else { return nil }
    let wanted = min(buffer.count, body.count - sentCount)
    guard wanted > 0 else { return 0 }
    switch body {
    case .none: return 0
    case .bytes(let bytes):
      unsafe buffer.copyBytes(from: bytes[sentCount..<sentCount + wanted])
      sentCount += wanted
      return wanted
    case .file(let descriptor, let offset, _):
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      guard
        let count = unsafe try? FileIO.read(descriptor, at: offset + sentCount, into: part),
        count > 0
      else {
        failure = .unreadable
        return nil
      }
      sentCount += count
      return count
    }
  }
}

/// A handle of libcurl; one thread uses it at a time.
@safe
private final class CurlHandle: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  private let message: UnsafeMutablePointer<CChar>

  // The numbers come from <curl/curl.h>.
  private enum Option {
    static let (url, headerList, method, errorBuffer) = (
      Int32(10002), Int32(10023), Int32(10036), Int32(10010)
    )
    static let (write, writeContext) = (Int32(20011), Int32(10001))
    static let (read, readContext) = (Int32(20012), Int32(10009))
    static let (header, headerContext) = (Int32(20079), Int32(10029))
    static let (noProgress, progressContext) = (Int32(43), Int32(10057))
    static let (noBody, isUpload, uploadSize) = (Int32(44), Int32(46), Int32(30115))
    static let (lowSpeed, lowSpeedTime, connectTime, allTime) = (
      Int32(19), Int32(20), Int32(78), Int32(13)
    )
    static let (authorities, protocols, noSignals) = (Int32(10065), Int32(181), Int32(99))
    static let (version, pathAsIs, quickExit) = (Int32(84), Int32(234), Int32(322))
  }
  /// Callbacks return it for an error: `CURL_READFUNC_ABORT`.
  private static let abort = 0x1000_0000
  private static let messageSize = 256

  init() throws(HTTPFailure) {
    if let reason = unsafe coffer_curl_load() {
      throw .noLibrary(unsafe String(cString: reason))
    }
    guard let handle = unsafe coffer_curl_create() else {
      throw .impossible("there is not enough memory")
    }
    unsafe self.handle = unsafe handle
    unsafe message = .allocate(capacity: Self.messageSize)
  }

  deinit {
    unsafe coffer_curl_destroy(handle)
    unsafe message.deallocate()
  }

  /// Forgets everything but the connections.
  func reset() {
    unsafe coffer_curl_reset(handle)
    unsafe message.update(repeating: 0, count: Self.messageSize)
  }

  var status: Int { unsafe Int(coffer_curl_status(handle)) }

  func text(_ code: Int32) -> String {
    let text = unsafe String(cString: message)
    return text.isEmpty ? unsafe String(cString: coffer_curl_text(code)) : text
  }

  /// Whether another attempt would end with the same error: wrong protocols and URLs, certificates.
  static func isFinal(_ code: Int32) -> Bool {
    [1, 2, 3, 4, 58, 59, 60, 77, 83, 90, 91].contains(code)
  }

  /// Sets the options of an exchange.
  func prepare(
    _ request: HTTPRequest, _ exchange: CurlExchange, _ patience: CurlTransport.Patience,
    _ authorities: String?
  ) throws(HTTPFailure) {
    var codes: [Int32] = []
    func set(_ option: Int32, _ value: Int) {
      codes.append(unsafe coffer_curl_set_number(handle, option, value))
    }
    func set(_ option: Int32, _ text: String) {
      codes.append(unsafe text.withCString { unsafe coffer_curl_set_pointer(handle, option, $0) })
    }
    unsafe codes.append(coffer_curl_set_pointer(handle, Option.errorBuffer, message))
    set(Option.noSignals, 1)
    set(Option.url, request.url)
    set(Option.pathAsIs, 1)
    // HTTP and HTTPS; version 1.1.
    set(Option.protocols, 3)
    set(Option.version, 2)
    set(Option.connectTime, patience.connecting)
    set(Option.lowSpeed, 1)
    set(Option.lowSpeedTime, request.takesLong ? patience.work : patience.silence)
    if request.outlivesTask, Task<Never, Never>.isCancelled {
      set(Option.allTime, patience.cleaning)
    }
    // A cancelled task does not wait for the lookup of a name; before 7.87, libcurl has no such option.
    _ = unsafe coffer_curl_set_number(handle, Option.quickExit, 1)
    if let authorities { set(Option.authorities, authorities) }
    set(Option.method, request.method)
    if request.method == "HEAD" { set(Option.noBody, 1) }
    if request.method == "PUT" || request.method == "POST" {
      set(Option.isUpload, 1)
      codes.append(
        unsafe coffer_curl_set_size(handle, Option.uploadSize, Int64(request.body.count)))
    }
    codes += setFunctions(exchange)
    if let code = codes.first(where: { $0 != 0 }) { throw .impossible(text(code)) }
  }

  /// Sets the functions that libcurl calls; the exchange has to live meanwhile.
  private func setFunctions(_ exchange: CurlExchange) -> [Int32] {
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    return unsafe [
      coffer_curl_set_number(handle, Option.noProgress, 0),
      coffer_curl_set_pointer(handle, Option.writeContext, context),
      coffer_curl_set_pointer(handle, Option.readContext, context),
      coffer_curl_set_pointer(handle, Option.headerContext, context),
      coffer_curl_set_pointer(handle, Option.progressContext, context),
      coffer_curl_set_transfer(handle, Option.write) { bytes, size, count, context in
        let exchange = unsafe CurlHandle.exchange(context)
        let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe exchange.receive(piece) ? size * count : 0
      },
      coffer_curl_set_transfer(handle, Option.header) { bytes, size, count, context in
        let exchange = unsafe CurlHandle.exchange(context)
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe exchange.receiveHeader(line) ? size * count : 0
      },
      coffer_curl_set_transfer(handle, Option.read) { bytes, size, count, context in
        let exchange = unsafe CurlHandle.exchange(context)
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return unsafe exchange.provide(buffer) ?? CurlHandle.abort
      },
      coffer_curl_set_progress(handle) { context, _, _, _, _ in
        unsafe CurlHandle.exchange(context).goesOn() ? 0 : 1
      },
    ]
  }

  private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    guard let context = unsafe context else { preconditionFailure("libcurl lost the context") }
    return unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
  }

  /// Does the exchange; returns 0, or the number of an error.
  func perform(_ request: HTTPRequest, _ exchange: CurlExchange) -> Int32 {
    var list: UnsafeMutableRawPointer?
    defer { unsafe coffer_curl_free(list) }
    for (name, value) in request.headers {
      let line = "\(name): \(value)"
      guard let longer = unsafe coffer_curl_append(list, line) else { return 27 }
      unsafe list = unsafe longer
    }
    let code = unsafe coffer_curl_set_pointer(handle, Option.headerList, list)
    guard code == 0 else { return code }
    // Libraries for TLS may write to a closed connection without a care for the signal.
    return withExtendedLifetime(exchange) {
      FileIO.withoutPipeSignal { unsafe coffer_curl_perform(handle) }
    }
  }
}
