/// Takes the values of rows as cells, in room that was made for them beforehand.
@safe struct CellRecorder: ~Copyable {
  /// How far the recorder is.
  struct Progress {
    /// How many cells there are.
    var count = 0
    /// How many values of the row come later.
    var pendingCount = 0
  }

  private let room: UnsafeMutableBufferPointer<DecodedValue>
  private let progress: UnsafeMutablePointer<Progress>
  private let lines: UnsafeRawBufferPointer
  private let blobs: UnsafeRawBufferPointer

  /// Takes the values of rows.
  ///
  /// - Parameters:
  ///   - room: where they go; it stays as long as the recorder.
  ///   - progress: where the recorder notes how far it is; it stays as long as well.
  ///   - lines: the text that what is lent stands in.
  ///   - blobs: the values of the part that stand out of line.
  init(
    room: UnsafeMutableBufferPointer<DecodedValue>, progress: UnsafeMutablePointer<Progress>,
    lines: UnsafeRawBufferPointer, blobs: UnsafeRawBufferPointer
  ) {
    unsafe self.room = room
    unsafe self.progress = progress
    unsafe self.lines = lines
    unsafe self.blobs = blobs
  }

  /// How many cells were taken.
  var count: Int {
    get { unsafe progress.pointee.count }
    nonmutating set { unsafe progress.pointee.count = newValue }
  }

  private func append(_ cell: DecodedValue) {
    let count = count
    // The room is that of the longest line and more; nothing is written beside it in any case.
    unsafe precondition(count < room.count, "a row has more values than its table has columns")
    unsafe room[count] = cell
    self.count = count &+ 1
  }

  /// Takes bytes that stand in the lines or in the blobs.
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
      preconditionFailure("the bytes are not lent")
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
