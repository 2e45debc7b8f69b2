internal import CoreDataModel
internal import POSIX

/// Lines of standard input, each up to a length, so that a line without an end does not fill the memory.
///
/// An interruption ends the wait for a line.
struct InputLines {
  enum Line: Equatable {
    /// Its bytes, with its line feed if there is one.
    case bytes([UInt8])
    /// A longer line, which was skipped.
    case tooLong
  }

  private static let pieceSize = 1 << 16
  private static let interval: Int32 = 100

  private let longest: Int
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  init(longest: Int) { self.longest = longest }

  /// The next line; nil at the end.
  mutating func next() throws -> Line? {
    var (searched, isTooLong) = (0, false)
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[...end])
        buffer.removeFirst(line.count)
        return isTooLong || line.count > longest + 1 ? .tooLong : .bytes(line)
      }
      if buffer.count > longest {
        isTooLong = true
        buffer.removeAll()
      }
      searched = buffer.count
      guard !isAtEnd else {
        defer { buffer.removeAll() }
        return isTooLong ? .tooLong : buffer.isEmpty ? nil : .bytes(buffer)
      }
      try read()
    }
  }

  /// The next line as a text; nil at the end.
  ///
  /// - Throws: as ``next()``; `invalid-query` for a line that is too long.
  mutating func nextText(of file: String) throws -> String? {
    switch try next() {
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .tooLong: throw Self.tooLong(longest, file)
    case nil: return nil
    }
  }

  static func tooLong(_ longest: Int, _ file: String) -> CofferError {
    CofferError(.invalidQuery, path: file, detail: "a statement has more than \(longest >> 20) MiB")
  }

  private mutating func read() throws {
    repeat {
      try Task<Never, Never>.checkCancellation()
    } while !FileIO.waitUntilReadable(0, milliseconds: Self.interval)
    do throws(SystemError) {
      let piece = try FileBytes.read(0, upTo: Self.pieceSize)
      isAtEnd = piece.isEmpty
      buffer += piece
    } catch {
      throw CofferError(.readFailed, path: "standard input", error)
    }
  }
}
