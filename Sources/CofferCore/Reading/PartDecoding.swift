internal import CoreDataArchive

/// A part that becomes rows, on whatever thread: its content is hashed, then its lines are decoded.
///
/// If there are more rows or values than fit, the work stops early and continues when it is run again.
struct PartDecoding: BlockWork, ~Copyable {
  /// What to do with a line that cannot be read.
  enum Tolerance: Sendable {
    /// Nothing behind it is read.
    case none
    case invalidLines
    /// It is skipped, and so are values that the part's blobs do not have.
    case losses
  }

  /// The number of values after which a run ends.
  private static let maxCells = 16 << 10
  /// The numbers of rows and of unreadable lines after which a run ends.
  private static let maxRows = 16 << 10
  private static let maxFailures = 1000

  var decoded = DecodedRows()

  private let limits: ArchiveLimits
  private let tolerance: Tolerance
  private var lineReader: LineReader?
  private var digests: [PendingDigest] = []
  private var splitter = LineSplitter()
  /// The use of the blobs by the lines so far.
  private var blobUse = BlobUse()
  private var hasFailed = false
  /// The number of bytes of lines for each reserved value.
  private var bytesPerCell = 16

  init(limits: ArchiveLimits, tolerance: Tolerance) {
    self.limits = limits
    self.tolerance = tolerance
  }

  /// Whether all lines were read, or reading stopped at an invalid line.
  var isAtEnd: Bool { hasFailed || splitter.position >= decoded.lines.count }

  /// Gives the part up, and the memory of its lines and blobs back.
  mutating func end() -> [ContiguousArray<UInt8>] {
    defer { (decoded.lines, decoded.blobs) = ([], .empty) }
    return [decoded.lines, decoded.blobs.bytes]
  }

  /// Prepares for a part with all its lines.
  ///
  /// The digests are computed meanwhile.
  mutating func begin(_ blobs: PartBlobs, _ digests: [PendingDigest], _ lineReader: LineReader) {
    decoded.blobs = blobs
    self.digests = digests
    self.lineReader = lineReader.copied()
    splitter = LineSplitter()
    blobUse = BlobUse()
    hasFailed = false
  }

  mutating func run() {
    // Before the lines are changed in place.
    for digest in digests { _ = digest.value }
    digests = []
    decoded.removeRows()
    guard let lineReader else { return }
    let cellCount = min(Self.maxCells, decoded.lines.count / bytesPerCell) + lineReader.maxValues
    if decoded.cells.count < cellCount {
      decoded.cells = []
      decoded.cells = ContiguousArray(repeating: DecodedValue(.null, at: 0), count: cellCount)
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
          unsafe read(lines, blobs, cells, lineReader)
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
      lines, blobs: blobs, reader: lineReader, limits: limits, resuming: splitter, after: blobUse,
      toleratesLostBlobs: tolerance == .losses)
    let most = cells.count - lineReader.maxValues
    var progress = CellRecorder.Progress()
    unsafe withUnsafeMutablePointer(to: &progress) { progress in
      let recorder = unsafe CellRecorder(
        buffer: cells, progress: progress, lines: UnsafeRawBufferPointer(lines), blobs: blobs)
      while !hasFailed, recorder.count <= most, decoded.rows.count < Self.maxRows,
        decoded.failures.count < Self.maxFailures, takeLine(&part, recorder)
      {}
      // Small rows: there will be more space for the next part.
      if recorder.count > most { bytesPerCell = max(4, bytesPerCell / 2) }
    }
    decoded.shortLineCount = part.splitter.shortCount &- splitter.shortCount
    splitter = part.splitter
    blobUse = part.blobUse
    decoded.areTextsValid = !part.decoder.hasUnknownText
  }

  /// Decodes the next line; returns false at the end.
  private mutating func takeLine(
    _ part: inout PartLines, _ recorder: borrowing CellRecorder
  ) -> Bool {
    let start = recorder.count
    do throws(LineError) {
      guard try part.next(into: recorder) else { return false }
    } catch {
      recorder.count = start
      decoded.failures.append(DecodedRows.Failure(row: decoded.rows.count, error: error))
      hasFailed = tolerance == .none || error.limit != nil
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
        toOneCount: Int32(truncatingIfNeeded: part.decoder.toOneCount),
        lineEnd: UInt32(clamping: part.splitter.position),
        blobBytes: UInt32(clamping: part.blobUse.byteCount),
        blobDigits: UInt32(clamping: part.blobUse.digitCount)))
    return true
  }
}

/// Decodes the lines of a part in place, one after another.
@safe struct PartLines: ~Copyable {
  /// Decodes the values and keeps the extras of the current line.
  private(set) var decoder: LineDecoder
  /// The entity number of the current line's object; nil if unknown.
  private(set) var entity: Int64?
  private(set) var splitter: LineSplitter

  private let lines: UnsafeMutableRawBufferPointer
  private let reader: LineReader
  /// The number of bytes of the part's blobs that its lines may refer to.
  private let blobLimit: Int

  /// Prepares to read a part.
  ///
  /// Decoding changes the text. Lines and blobs must outlive this value.
  init(
    _ lines: UnsafeMutableRawBufferPointer, blobs: UnsafeRawBufferPointer, reader: LineReader,
    limits: ArchiveLimits, resuming splitter: LineSplitter = LineSplitter(),
    after use: BlobUse = BlobUse(), toleratesLostBlobs: Bool = false
  ) {
    unsafe self.lines = lines
    self.reader = reader
    self.splitter = splitter
    decoder = unsafe LineDecoder(blobs: blobs, entityNumbers: reader.entityNumbers, limits: limits)
    decoder.toleratesLostBlobs = toleratesLostBlobs
    blobLimit = decoder.blobBytesLeft
    decoder.blobBytesLeft -= use.byteCount
    decoder.offsetDigits = use.digitCount
  }

  /// The use of the blobs by the lines so far.
  var blobUse: BlobUse {
    BlobUse(byteCount: blobLimit - decoder.blobBytesLeft, digitCount: decoder.offsetDigits)
  }

  /// Whether the current line has values in their own entries, references to files, or lost values.
  var hasExtras: Bool {
    !decoder.outOfLineValues.isEmpty || !decoder.externalReferences.isEmpty
      || !decoder.lostColumns.isEmpty
  }

  /// Decodes the next line.
  ///
  /// - Returns: false at the end.
  /// - Throws: ``LineError`` if the line does not belong to the table; the next call continues
  ///   after it.
  mutating func next(into sink: borrowing some ValueSink & ~Copyable) throws(LineError) -> Bool {
    guard let range = unsafe splitter.next(in: UnsafeRawBufferPointer(lines)) else { return false }
    let line = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[range])
    decoder.toOneCount = 0
    entity = unsafe try reader.read(line, &decoder, into: sink)
    return true
  }
}

/// The use of a part's blobs by its lines.
struct BlobUse: Sendable {
  /// The bytes that they refer to, each as often as they do.
  var byteCount = 0
  /// The number of digits in the offsets of these.
  var digitCount = 0
}
