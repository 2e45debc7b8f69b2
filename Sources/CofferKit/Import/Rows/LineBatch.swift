internal import CoreDataArchive

/// Some lines of a part on their way to rows.
///
/// Where they hold more values than there is room for, the work ends before the last line, and goes
/// on when it is run again.
struct LineBatch: BlockWork, ~Copyable {
  /// How many bytes of lines make a piece; a longer line is one of its own.
  static let size = 128 << 10
  /// How many values make a piece.
  private static let cellCount = 16 << 10

  /// The lines and what comes of them.
  var decoded = DecodedRows()
  /// How many bytes the lines have.
  var size = 0
  /// Reads lines of the table.
  var lineReader: LineReader?
  /// What an archive may hold at most.
  var limits = ArchiveLimits.standard
  /// Whether lines that are none, and values that are lost, are left out.
  var isTolerant = false

  private var position = 0

  /// Whether all lines were read.
  var isAtEnd: Bool { position >= size }

  /// Goes back to the first line.
  mutating func rewind() { position = 0 }

  mutating func run() {
    decoded.removeRows()
    guard let lineReader else { return }
    let room = Self.cellCount + lineReader.mostValues
    if decoded.cells.count < room {
      decoded.cells = ContiguousArray(repeating: DecodedValue(.null, at: 0), count: room)
    }
    // Out of the whole for the time of the work, so that each is lent on its own.
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
    var decoder = unsafe LineDecoder(
      blobs: blobs, entityNumbers: lineReader.entityNumbers, limits: limits)
    decoder.toleratesLostBlobs = isTolerant
    var progress = CellRecorder.Progress()
    unsafe withUnsafeMutablePointer(to: &progress) { progress in
      let recorder = unsafe CellRecorder(
        room: cells, progress: progress, lines: UnsafeRawBufferPointer(lines), blobs: blobs)
      while position < lines.count, recorder.count < Self.cellCount {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[position...])
        let length = unsafe rest.lineLength
        let line = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<length])
        position += length + 1
        unsafe read(line, &decoder, recorder, lineReader)
      }
    }
  }

  private mutating func read(
    _ line: UnsafeMutableRawBufferPointer, _ decoder: inout LineDecoder,
    _ recorder: borrowing CellRecorder, _ lineReader: LineReader
  ) {
    let start = recorder.count
    decoder.toOneCount = 0
    let entity: Int64?
    do throws(LineError) {
      entity = unsafe try lineReader.read(line, &decoder, into: recorder)
    } catch {
      recorder.count = start
      decoded.failures.append(DecodedRows.Failure(row: decoded.rows.count, error: error))
      if !isTolerant || error.limit != nil { position = size }
      return
    }
    if !decoder.largeValues.isEmpty || !decoder.externalReferences.isEmpty
      || !decoder.lostColumns.isEmpty
    {
      decoded.extras.append(
        DecodedRows.Extras(
          row: decoded.rows.count, entity: entity, largeValues: decoder.largeValues,
          externalReferences: decoder.externalReferences, lostColumns: decoder.lostColumns))
    }
    decoded.rows.append(
      DecodedRows.Row(
        cellEnd: Int32(truncatingIfNeeded: recorder.count),
        toOneCount: Int32(truncatingIfNeeded: decoder.toOneCount)))
  }
}
