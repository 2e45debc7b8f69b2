package import CoreDataArchive
package import CoreDataModel

/// Records the values of rows as cells, in preallocated memory.
@safe struct CellRecorder: ~Copyable {
  /// The position of the recorder.
  struct Progress {
    var count = 0
    /// The number of values of the row that come later.
    var pendingCount = 0
  }

  private let buffer: UnsafeMutableBufferPointer<DecodedValue>
  private let progress: UnsafeMutablePointer<Progress>
  private let lines: UnsafeRawBufferPointer
  private let blobs: UnsafeRawBufferPointer

  /// Creates a recorder.
  ///
  /// The memory must outlive the recorder. The blobs are the out-of-line values of the part.
  init(
    buffer: UnsafeMutableBufferPointer<DecodedValue>, progress: UnsafeMutablePointer<Progress>,
    lines: UnsafeRawBufferPointer, blobs: UnsafeRawBufferPointer
  ) {
    unsafe self.buffer = buffer
    unsafe self.progress = progress
    unsafe self.lines = lines
    unsafe self.blobs = blobs
  }

  var count: Int {
    get { unsafe progress.pointee.count }
    nonmutating set { unsafe progress.pointee.count = newValue }
  }

  private func append(_ cell: DecodedValue) {
    let count = count
    // There is space for the longest line and more, and writing never leaves it.
    unsafe precondition(count < buffer.count, "a row has more values than its table has columns")
    unsafe buffer[count] = cell
    self.count = count &+ 1
  }

  private func append(
    _ bytes: UnsafeRawBufferPointer, at parameter: Int32, _ inLine: DecodedValue.Kind,
    _ elsewhere: DecodedValue.Kind
  ) {
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return append(DecodedValue(inLine, at: parameter))
    }
    if let offset = unsafe Self.offset(of: start, in: lines) {
      return append(DecodedValue(inLine, at: parameter, bits: offset, count: bytes.count))
    }
    guard let offset = unsafe Self.offset(of: start, in: blobs) else {
      preconditionFailure("the bytes are not borrowed")
    }
    append(DecodedValue(elsewhere, at: parameter, bits: offset, count: bytes.count))
  }

  private static func offset(
    of address: UnsafeRawPointer, in bytes: UnsafeRawBufferPointer
  ) -> UInt64? {
    guard let base = bytes.baseAddress else { return nil }
    let offset = UInt(bitPattern: address) &- UInt(bitPattern: base)
    return offset < UInt(bytes.count) ? UInt64(offset) : nil
  }
}

extension CellRecorder: ValueSink {
  func clearBindings() { unsafe progress.pointee.pendingCount = 0 }

  func bindNull(_ parameter: Int32) { append(DecodedValue(.null, at: parameter)) }

  func bind(_ value: Int64, at parameter: Int32) {
    append(DecodedValue(.integer, at: parameter, bits: UInt64(bitPattern: value)))
  }

  func bind(_ value: Double, at parameter: Int32) {
    append(DecodedValue(.real, at: parameter, bits: value.bitPattern))
  }

  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe append(bytes, at: parameter, .text, .textElsewhere)
  }

  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe append(bytes, at: parameter, .blob, .blobElsewhere)
  }

  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    unsafe append(bytes, at: parameter, .markedBlob, .markedBlob)
  }

  func bind(outOfLine value: OutOfLineValue) {
    let number = unsafe progress.pointee.pendingCount
    unsafe progress.pointee.pendingCount = number &+ 1
    append(DecodedValue(.pending, at: value.parameter, bits: UInt64(number)))
  }
}

/// Bytes with a stable address, so that they can be borrowed for longer than one call.
@safe package final class StableBytes {
  private let storage: UnsafeMutableRawBufferPointer
  /// The number of bytes.
  package let count: Int

  /// Copies bytes.
  package init(_ bytes: ContiguousArray<UInt8> = []) {
    count = bytes.count
    unsafe storage = .allocate(byteCount: max(1, count), alignment: 1)
    unsafe bytes.withUnsafeBytes { unsafe storage.copyMemory(from: $0) }
  }

  /// Reads an entry of an archive.
  ///
  /// - Throws: the errors of ``ArchiveFile/read(_:limit:)``.
  package init(_ entry: String, of file: ArchiveFile) throws(CofferError) {
    let stream = try file.open(entry)
    count = stream.entry.size
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 1)
    unsafe storage = unsafe memory
    try unsafe stream.readWhole { unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<$0]) }
  }

  deinit { unsafe storage.deallocate() }

  /// The bytes, valid for the lifetime of the object.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: storage.baseAddress, count: count)
  }

  /// A range of the bytes to change.
  ///
  /// The range must be within the bounds.
  package func mutableBytes(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return unsafe UnsafeMutableRawBufferPointer(rebasing: storage[range])
  }
}
