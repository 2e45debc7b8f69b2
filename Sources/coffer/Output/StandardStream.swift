internal import CoreDataModel
internal import POSIX

/// Standard output or standard error, written without a buffer of the C library, so that a failure
/// to write is an error and not lost at the end of the program.
struct StandardStream: Sendable {
  let descriptor: Int32
  let name: String

  /// Whether a write does nothing after the reader has closed the pipe, for a command whose status answers a
  /// question that it has not finished with.
  var mayLackReader = false

  static let output = StandardStream(descriptor: 1, name: "standard output")
  static let outputOrNothing = StandardStream(
    descriptor: 1, name: "standard output", mayLackReader: true)
  static let error = StandardStream(descriptor: 2, name: "standard error")

  /// Occupies the descriptors of closed standard streams, so that no file opened later gets one of
  /// them and is overwritten by mistake.
  ///
  /// Writing to a closed stream still fails.
  static func occupyDescriptors() {
    for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The system assigns the lowest free descriptor, so this one is occupied.
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Whether it leads to a terminal.
  var isTerminal: Bool { Terminal.isTerminal(descriptor) }

  func write(_ bytes: [UInt8]) throws(CofferError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try unsafe FileIO.writeAll(descriptor, bytes) }
    }
    do throws(SystemError) {
      try result.get()
    } catch {
      if mayLackReader, error.isClosedPipe { return }
      throw CofferError(
        error.isClosedPipe ? .outputClosed : .writeFailed, path: name, detail: error.text,
        advice: SystemAdvice.advice(for: error.number, at: nil), evidence: LostAnswer())
    }
  }
}

/// Writes complete lines to a stream, many at a time.
final class LineWriter {
  private let stream: StandardStream
  private var buffer: [UInt8] = []
  private let room = 1 << 16

  init(_ stream: StandardStream) { self.stream = stream }

  /// Adds a line, given without its line feed.
  func line(_ text: String) throws(CofferError) { try line(text.utf8) }

  /// Adds a line, given without its line feed.
  func line(_ bytes: some Sequence<UInt8>) throws(CofferError) {
    buffer.append(contentsOf: bytes)
    buffer.append(0x0A)
    if buffer.count >= room { try flush() }
  }

  func flush() throws(CofferError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try stream.write(buffer)
  }
}
