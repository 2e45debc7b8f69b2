internal import POSIX

/// The header of a `-shm`, which contains the number of frames in the `-wal` when it was last in
/// use.
///
/// SQLite itself never trusts a `-shm` that no one has open. It is read here only to detect that a
/// `-wal` was left behind when a store was copied. The layout is in
/// <https://sqlite.org/walformat.html#the_wal_index_file_format>; numbers are in the byte order of
/// the machine that wrote them.
package struct SharedMemoryHeader: Sendable {
  /// Two headers of 48 bytes and the first field of the checkpoint information.
  package static let length = 100
  private static let version: UInt32 = 3_007_000

  /// The size in bytes of a `-wal` with all frames that are not yet in the main file; 0
  /// if there are none.
  package let walLength: Int64
  /// The number of frames in the `-wal`, including frames that are in the main file.
  let frameCount: Int64
  /// The two numbers that the header of the `-wal` has too, as bytes.
  let salts: ArraySlice<UInt8>

  /// Reads a header; nil for one that is not valid.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.length, bytes[0..<48] == bytes[48..<96] else { return nil }
    let words = stride(from: 0, to: Self.length, by: 4).map { offset in
      bytes[offset..<offset + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    let (low, high) = Self.checksum(words[0..<10])
    guard words[0] == Self.version, bytes[12] == 1, words[10] == low, words[11] == high else {
      return nil
    }
    // The upper half of the fourth word; 1 means pages of 65536 bytes.
    let encoded = Int64(words[3] >> 16)
    let pageSize = encoded == 1 ? 65_536 : encoded
    let frames = Int64(words[4])
    frameCount = frames
    salts = bytes[32..<40]
    let isBackfilled = frames <= Int64(words[24])
    walLength = isBackfilled ? 0 : WriteAheadLog.headerLength + frames * (24 + pageSize)
  }

  /// Whether the `-shm` of a store was made for its `-wal`.
  static func knowsLog(of files: DatabaseFiles) -> Bool {
    guard let header = read(files.sharedMemory),
      let log = try? SourceFile(path: files.wal, kind: .companion).bytes(at: 16, count: 8)
    else { return false }
    return header.salts.elementsEqual(log)
  }

  /// The checksum of SQLite's log over an even number of words.
  private static func checksum(_ words: ArraySlice<UInt32>) -> (UInt32, UInt32) {
    var (first, second) = (0 as UInt32, 0 as UInt32)
    for index in stride(from: words.startIndex, to: words.endIndex - 1, by: 2) {
      first = first &+ words[index] &+ second
      second = second &+ words[index + 1] &+ first
    }
    return (first, second)
  }

  /// Reads the header of a `-shm`; nil when this process has it open, or it cannot be read.
  ///
  /// In WAL mode, SQLite holds its locks on this file and opens it in a way that cannot be shared.
  /// So it is read only if no connection in this process has it open. A connection that opens it at
  /// that moment is detected; then the descriptor stays open rather than dropping that connection's
  /// locks.
  static func read(_ path: String) -> SharedMemoryHeader? {
    guard let state = try? FileState.look(at: path), state.kind == .file,
      isOpen(state, except: -1) == false
    else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: length)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    if isOpen(state, except: descriptor) == false { close(descriptor) }
    return count == length ? SharedMemoryHeader(bytes) : nil
  }

  /// Whether this process has a file open; nil when that cannot be found out.
  private static func isOpen(_ file: FileState, except: Int32) -> Bool? {
    // The list of the open descriptors, on Linux and on Apple's systems.
    guard let names = try? FileTree.names(in: "/dev/fd") else { return nil }
    return names.contains { name in
      guard let descriptor = Int32(name), descriptor != except else { return false }
      return FileState(of: descriptor)?.isSameFile(as: file) ?? false
    }
  }
}
