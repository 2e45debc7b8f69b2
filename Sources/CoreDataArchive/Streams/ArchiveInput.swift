internal import CoreDataModel
internal import POSIX

/// An open file or pipe that closes itself.
final class OpenFile: Sendable {
  let descriptor: Int32
  let path: String
  /// Whether reading may have to wait, as with a pipe.
  let mayStall: Bool
  /// The plain bytes, for random access to an encrypted input.
  private let encrypted: EncryptedFile?
  private let closes: Bool

  init(descriptor: Int32, path: String, closes: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.closes = closes
    mayStall = FileIO.size(of: descriptor) == nil
    encrypted = nil
  }

  /// The plain bytes of a file that is encrypted.
  init(_ encrypted: EncryptedFile, of file: OpenFile) {
    descriptor = file.descriptor
    path = file.path
    closes = false
    self.encrypted = encrypted
    mayStall = false
  }

  convenience init(_ source: ArchiveSource) throws(CofferError) {
    switch source {
    case .descriptor(let descriptor, let name):
      self.init(descriptor: descriptor, path: name, closes: false)
    case .file(let path):
      do {
        self.init(descriptor: try FileIO.open(path), path: path, closes: true)
      } catch {
        throw CofferError(reading: path, error)
      }
      if (try? FileState.look(at: path))?.kind == .folder {
        throw CofferError(
          .notAnArchive, path: path, detail: "it is a folder",
          advice: "Give the path of an archive file.")
      }
    }
  }

  /// The size of a regular file, including encryption; nil for anything else.
  var size: Int? { encrypted?.size ?? FileIO.size(of: descriptor) }

  /// Reads once from a place; 0 only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    if let encrypted { return try unsafe encrypted.read(at: offset, into: buffer) }
    do {
      return try unsafe FileIO.read(descriptor, at: offset, into: buffer)
    } catch {
      throw CofferError(.readFailed, path: path, offset: offset, error)
    }
  }

  deinit {
    if closes { FileIO.close(descriptor) }
  }
}

/// The bytes of an archive, or of a piece of its file, read forward.
final class ArchiveInput {
  let file: OpenFile
  /// The offset of the next byte: in the file, or from where a pipe was taken over.
  private(set) var offset: Int
  /// The end of a range in a file; nil for everything from the current position.
  private let end: Int?
  /// Decrypts the bytes, or nil.
  private let stream: DecryptingStream?
  /// Bytes that were read ahead by ``peek(_:)``.
  private var peeked = ContiguousArray<UInt8>()

  /// Everything from the current position of the descriptor.
  init(_ file: OpenFile) {
    self.file = file
    offset = 0
    end = nil
    stream = nil
  }

  /// The plain bytes of an encrypted input; offsets count plain bytes.
  init(_ stream: DecryptingStream) {
    file = stream.file
    offset = 0
    end = nil
    self.stream = stream
  }

  /// A piece of a file; the descriptor's position is neither used nor moved.
  init(_ file: OpenFile, range: Range<Int>) {
    self.file = file
    offset = range.lowerBound
    end = range.upperBound
    stream = nil
  }

  /// Whether the bytes are decrypted before they come here.
  var isDecrypted: Bool { stream != nil }

  /// Whether the piece of a file was read; false for a pipe.
  var isAtEnd: Bool { offset == end }

  /// Reads until the buffer is full or the input ends.
  ///
  /// - Returns: the count of bytes; less than there is buffer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    let ready = min(peeked.count, buffer.count)
    if ready > 0 {
      unsafe buffer.copyBytes(from: peeked[..<ready])
      peeked.removeFirst(ready)
      offset += ready
    }
    var filled = ready
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try unsafe readOnce(into: rest)
      if count == 0 { break }
      filled += count
      offset += count
    }
    return filled
  }

  /// The first bytes of the rest, which stay to be read; fewer than requested only at the end.
  func peek(_ count: Int) throws(CofferError) -> ContiguousArray<UInt8> {
    let start = offset
    let bytes = try next(count)
    peeked = bytes + peeked
    offset = start
    return bytes
  }

  /// The next bytes, which are consumed; fewer than requested only at the end.
  func next(_ count: Int) throws(CofferError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: count)
    let got = try unsafe bytes.withMutableBytes { buffer throws(CofferError) in
      try unsafe read(into: buffer)
    }
    bytes.removeLast(count - got)
    return bytes
  }

  /// The maximum delay of a cancellation while nothing comes through a pipe, in milliseconds.
  private static let patience: Int32 = 100

  /// Waits until the next read does not have to; throws `ECANCELED` if the task is canceled meanwhile.
  private func waitForBytes() throws(SystemError) {
    guard file.mayStall else { return }
    while !FileIO.waitUntilReadable(file.descriptor, milliseconds: Self.patience) {
      if Task<Never, Never>.isCancelled { throw .cancelled }
    }
  }

  private func readOnce(into buffer: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    if let stream { return try unsafe stream.read(into: buffer) }
    if let end {
      let piece = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, end - offset)])
      return try unsafe file.read(at: offset, into: piece)
    }
    do {
      try waitForBytes()
      return try unsafe FileIO.read(file.descriptor, into: buffer)
    } catch {
      throw CofferError(.readFailed, path: file.path, offset: offset, error)
    }
  }
}
