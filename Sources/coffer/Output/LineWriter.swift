internal import CoreDataModel

/// Writes whole lines to a stream, many at a time.
final class LineWriter {
  private let stream: StandardStream
  private var buffer: [UInt8] = []
  private let room = 1 << 16

  init(_ stream: StandardStream) { self.stream = stream }

  /// Adds a line, without its line feed.
  func line(_ text: String) throws(CofferError) { try line(text.utf8) }

  /// Adds a line, without its line feed.
  func line(_ bytes: some Sequence<UInt8>) throws(CofferError) {
    buffer.append(contentsOf: bytes)
    buffer.append(0x0A)
    if buffer.count >= room { try flush() }
  }

  /// Writes what has been gathered.
  func flush() throws(CofferError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try stream.write(buffer)
  }
}
