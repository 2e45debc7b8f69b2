internal import CoreDataArchive
internal import Dispatch
internal import POSIX
internal import Synchronization

/// The messages of a client: one thread reads them, so that it answers everything but calls while a call runs.
final class MCPClient: Sendable {
  private struct State {
    /// The calls to answer; the first one may be running.
    var calls: [JSONValue] = []
    /// How the messages have ended.
    var end: Result<Void, any Error>?
  }

  /// The maximum number of calls that wait; further messages are read after one of them.
  private static let maxCalls = 16

  private let server: MCPServer
  private let output: StandardStream
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// Begins to read.
  init(_ server: MCPServer, _ output: StandardStream) {
    (self.server, self.output) = (server, output)
    DispatchQueue(label: "coffer.messages").async { [self] in
      let end = Result { try read() }
      state.withLock { $0.end = end }
      news.signal()
    }
  }

  /// Answers the calls, one after another, until the messages end.
  ///
  /// - Throws: errors of reading and writing; `CancellationError`.
  func answerCalls() throws {
    while true {
      let (call, end) = state.withLock { ($0.calls.first, $0.end) }
      if let call {
        let answer = server.answer(call) { self.state.withLock { $0.calls.first == call } }
        // A command that an interruption has ended is no answer.
        try Task<Never, Never>.checkCancellation()
        try write(answer, to: call)
      } else if let end {
        return try end.get()
      } else {
        try Task<Never, Never>.checkCancellation()
        _ = news.wait(timeout: .now() + .milliseconds(100))
      }
    }
  }

  private func read() throws {
    var lines = InputLines(longest: MCPServer.longestMessage)
    while let line = try lines.next() {
      switch line {
      case .bytes(let bytes): if bytes.contains(where: { $0 > 0x20 }) { try take(bytes) }
      case .tooLong: try write(MCPServer.tooLong)
      }
    }
  }

  private func take(_ message: [UInt8]) throws {
    let request: JSONValue
    do throws(JSONError) {
      request = try JSONValue.parse(message)
    } catch {
      return try write(MCPServer.malformed(error))
    }
    guard MCPServer.isCall(request) else {
      if request["method"] == .string("notifications/cancelled") {
        let id = request["params"]?["requestId"]
        state.withLock { $0.calls.removeAll { id != nil && $0["id"] == id } }
      }
      return try write(server.answer(request))
    }
    while state.withLock({ $0.calls.count >= Self.maxCalls }) {
      SystemClock.pause(nanoseconds: 10_000_000)
    }
    state.withLock { $0.calls.append(request) }
    news.signal()
  }

  /// Writes an answer as a line; not to a call that the client has cancelled.
  private func write(_ answer: JSONValue?, to call: JSONValue? = nil) throws {
    try state.withLock { state in
      if let call {
        guard state.calls.first == call else { return }
        state.calls.removeFirst()
      }
      if let answer { try output.write(answer.bytes(layout: .compact) + [0x0A]) }
    }
  }
}
