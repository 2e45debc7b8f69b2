internal import CoreDataModel
internal import Synchronization

/// The answer of a command that runs inside another, in memory up to a limit.
///
/// What goes beyond ends the command, as a reader does that closes its pipe.
final class CapturedAnswer: Sendable {
  private let limit: Int
  private let state = Mutex<(bytes: [UInt8], isCut: Bool)>(([], false))

  /// - Parameter limit: the most bytes to keep.
  init(limit: Int) { self.limit = limit }

  /// The complete lines of the answer, and whether there were more.
  var lines: (text: [Substring], isCut: Bool) {
    state.withLock { state in
      var lines = String(decoding: state.bytes, as: UTF8.self).split(separator: "\n")
      if state.isCut, state.bytes.last != 0x0A, !lines.isEmpty { lines.removeLast() }
      return (lines, state.isCut)
    }
  }

  /// Takes bytes.
  ///
  /// - Throws: `output-closed` beyond the limit.
  func take(_ bytes: [UInt8]) throws(CofferError) {
    let isCut = state.withLock { state in
      let room = limit - state.bytes.count
      state.bytes.append(contentsOf: bytes.prefix(max(0, room)))
      if bytes.count > room { state.isCut = true }
      return state.isCut
    }
    guard isCut else { return }
    throw CofferError(.outputClosed, path: "answer", detail: "it is too long")
  }
}
