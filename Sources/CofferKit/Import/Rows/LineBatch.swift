internal import CoreDataArchive

/// A batch of lines that becomes rows.
///
/// If the lines have more values than fit, the work stops early and continues when it is run again.
struct LineBatch: BlockWork, ~Copyable {
  /// The number of bytes of lines in a batch; a longer line is a batch of its own.
  static let size = 128 << 10
  /// The number of values in a batch.
  private static let cellCount = 16 << 10

  /// The lines and their rows.
  var decoded = DecodedRows()
  /// The number of bytes of the lines.
  var size = 0
  /// Reads lines of the table.
  var lineReader: LineReader?
  /// The limits of the archive.
  var limits = ArchiveLimits.standard
  /// Whether to skip invalid lines and lost values.
  var isTolerant = false

  private var splitter = LineSplitter()
  private var hasFailed = false

  /// Whether all lines were read, or reading stopped at an invalid line.
  var isAtEnd: Bool { hasFailed || splitter.position >= size }

  /// Returns to the first line.
  mutating func rewind() {
    splitter = LineSplitter()
    hasFailed = false
  }

  mutating func run() {
    decoded.removeRows()
    guard let lineReader else { return }
    let room = Self.cellCount + lineReader.mostValues
    if decoded.cells.count < room {
      decoded.cells = ContiguousArray(repeating: DecodedValue(.null, at: 0), count: room)
    }
    // Moved out while working, so that each can be borrowed on its own.
    var lines: ContiguousArray<UInt8> = []
    var cells: ContiguousArray<DecodedValue> = []
    swap(&lines, &decoded.lines)
    swap(&cells, &decoded.cells)
    let blobs = decoded.blobs
    unsafe blobs.bytes.withUnsafeBytes { blobs in
      unsafe lines.withUnsafeMutableBytes { lines in
        unsafe cells.withUnsafeMutableBufferPointer { cells in
          let text = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[..<size])
          unsafe read(text, blobs, cells, lineReader)
        }
      }
    }
    swap(&lines, &decoded.lines)
    swap(&cells, &decoded.cells)
  }

  private mutating func read(
    _ lines: UnsafeMutableRawBufferPointer, _ blobs: UnsafeRawBufferPointer,
    _ cells: UnsafeMutableBufferPointer<DecodedValue>, _ lineReader: LineReader
  ) {
    var part = unsafe PartLines(
      lines, blobs: blobs, reader: lineReader, limits: limits, resuming: splitter,
      toleratesLostBlobs: isTolerant)
    let left = part.useBlobs(after: decoded.blobs.usedByteCount)
    var progress = CellRecorder.Progress()
    unsafe withUnsafeMutablePointer(to: &progress) { progress in
      let recorder = unsafe CellRecorder(
        room: cells, progress: progress, lines: UnsafeRawBufferPointer(lines), blobs: blobs)
      while !hasFailed, recorder.count < Self.cellCount, takeLine(&part, recorder) {}
    }
    decoded.shortLineCount = part.splitter.shortCount &- splitter.shortCount
    splitter = part.splitter
    decoded.blobs.use(left - part.blobBytesLeft)
  }

  /// Decodes the next line.
  ///
  /// - Returns: false at the end.
  private mutating func takeLine(
    _ part: inout PartLines, _ recorder: borrowing CellRecorder
  ) -> Bool {
    let start = recorder.count
    do throws(LineError) {
      guard try part.next(into: recorder) else { return false }
    } catch {
      recorder.count = start
      decoded.failures.append(DecodedRows.Failure(row: decoded.rows.count, error: error))
      hasFailed = !isTolerant || error.limit != nil
      return true
    }
    if part.hasExtras {
      decoded.extras.append(
        DecodedRows.Extras(
          row: decoded.rows.count, entity: part.entity,
          outOfLineValues: part.decoder.outOfLineValues,
          externalReferences: part.decoder.externalReferences,
          lostColumns: part.decoder.lostColumns))
    }
    decoded.rows.append(
      DecodedRows.Row(
        cellEnd: Int32(truncatingIfNeeded: recorder.count),
        toOneCount: Int32(truncatingIfNeeded: part.decoder.toOneCount)))
    return true
  }
}
