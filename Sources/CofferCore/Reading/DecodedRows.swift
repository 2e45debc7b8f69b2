internal import CoreDataArchive

/// Rows decoded from lines, with the bytes of their texts and blobs.
struct DecodedRows: Sendable {
  struct Row: Sendable {
    /// The end of its cells, which begin at the end of the previous row's.
    var cellEnd: Int32
    /// The number of to-one relationships that are not nil.
    var toOneCount: Int32
    var lineEnd: UInt32
    /// The bytes of the part's blobs that its line and earlier lines refer to.
    var blobBytes: UInt32
    /// The number of digits in the offsets of these values.
    var blobDigits: UInt32
  }

  /// Extras that few rows have.
  struct Extras: Sendable {
    var row: Int
    /// The entity number of the object.
    var entity: Int64?
    /// The values that have their own entries.
    var outOfLineValues: [OutOfLineValue]
    var externalReferences: [ExternalReference]
    /// The columns whose values were lost.
    var lostColumns: [Int]
  }

  /// An invalid line.
  struct Failure: Sendable {
    /// The index of the next row.
    var row: Int
    var error: LineError
  }

  /// The lines, which contain the bytes that cells refer to.
  var lines: ContiguousArray<UInt8> = []
  /// The out-of-line values of the part.
  var blobs = PartBlobs.empty
  var cells: ContiguousArray<DecodedValue> = []
  /// The rows in the order of their lines.
  var rows: ContiguousArray<Row> = []
  /// The extras, in the order of the rows.
  var extras: [Extras] = []
  /// Whether all texts are known to be valid UTF-8.
  var areTextsValid = false
  var shortLineCount = 0
  /// The invalid lines, in order.
  var failures: [Failure] = []

  func range(of row: Int) -> Range<Int> {
    Int(row == 0 ? 0 : rows[row - 1].cellEnd)..<Int(rows[row].cellEnd)
  }

  /// The values, lent for the time of a closure: lending them once for many rows costs nothing per row.
  @safe struct Lent: ~Copyable {
    fileprivate let rows: UnsafeBufferPointer<Row>
    fileprivate let cells: UnsafeBufferPointer<DecodedValue>
    fileprivate let lines: UnsafeRawBufferPointer
    fileprivate let blobs: UnsafeRawBufferPointer

    /// Passes the values of a row to a sink, which borrows the bytes.
    ///
    /// The offset is added to the parameters.
    func bind(
      _ row: Int, _ outOfLineValues: [OutOfLineValue],
      to sink: borrowing some ValueSink & ~Copyable, _ offset: Int32 = 0
    ) {
      unsafe precondition(row >= 0 && row < rows.count, "no such row")
      let (start, end) = unsafe (row == 0 ? 0 : Int(rows[row - 1].cellEnd), Int(rows[row].cellEnd))
      unsafe precondition(
        start >= 0 && start <= end && end <= cells.count, "a row leaves its values")
      for index in start..<end {
        let cell = unsafe cells[index]
        let parameter = Int32(cell.parameter) &+ offset
        switch cell.kind {
        case .null: sink.bindNull(parameter)
        case .integer: sink.bind(Int64(bitPattern: cell.bits), at: parameter)
        case .real: sink.bind(Double(bitPattern: cell.bits), at: parameter)
        case .text: unsafe sink.bind(lentText: cell.bytes(in: lines), at: parameter)
        case .blob: unsafe sink.bind(lentBlob: cell.bytes(in: lines), at: parameter)
        case .textElsewhere: unsafe sink.bind(lentText: cell.bytes(in: blobs), at: parameter)
        case .blobElsewhere: unsafe sink.bind(lentBlob: cell.bytes(in: blobs), at: parameter)
        case .markedBlob: unsafe sink.bind(markedBlob: cell.bytes(in: blobs), at: parameter)
        case .pending:
          let number = Int(cell.bits)
          if outOfLineValues.indices.contains(number) {
            sink.bind(outOfLine: outOfLineValues[number])
          }
        }
      }
    }
  }

  /// Lends the values to a closure.
  func lend<Result, E: Error>(_ body: (borrowing Lent) throws(E) -> Result) throws(E) -> Result {
    try unsafe rows.withUnsafeBufferPointer { rows throws(E) in
      try unsafe cells.withUnsafeBufferPointer { cells throws(E) in
        try unsafe lines.withBytes { lines throws(E) in
          try unsafe blobs.bytes.withBytes { blobs throws(E) in
            try unsafe body(Lent(rows: rows, cells: cells, lines: lines, blobs: blobs))
          }
        }
      }
    }
  }

  /// Lends the bytes of a text or blob to a closure.
  func lendBytes<Result>(
    of cell: DecodedValue, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let isElsewhere = [.textElsewhere, .blobElsewhere, .markedBlob].contains(cell.kind)
    return unsafe (isElsewhere ? blobs.bytes : lines).withBytes {
      unsafe body(cell.bytes(in: $0))
    }
  }

  mutating func removeRows() {
    rows.removeAll(keepingCapacity: true)
    if !extras.isEmpty { extras.removeAll() }
    if !failures.isEmpty { failures.removeAll() }
  }
}

extension DecodedValue {
  /// The bytes of a text or blob.
  fileprivate func bytes(in all: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = Int(bits)
    return unsafe UnsafeRawBufferPointer(rebasing: all[start..<(start + Int(count))])
  }
}
