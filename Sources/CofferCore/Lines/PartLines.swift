internal import CoreDataArchive

/// Decodes the lines of a part in place, one after another.
@safe struct PartLines: ~Copyable {
  /// Decodes the values and keeps the extras of the current line.
  private(set) var decoder: LineDecoder
  /// The entity number of the current line's object; nil if unknown.
  private(set) var entity: Int64?
  /// The position in the part.
  private(set) var splitter: LineSplitter

  private let lines: UnsafeMutableRawBufferPointer
  private let reader: LineReader
  /// How many bytes of the part's blobs its lines may refer to.
  private let blobRoom: Int

  /// Prepares to read a part.
  ///
  /// - Parameters:
  ///   - lines: the text, which decoding changes and which must outlive this value.
  ///   - blobs: the out-of-line values of the part, which must outlive this value too.
  ///   - reader: reads lines of the table.
  ///   - limits: the limits of the archive.
  ///   - splitter: the position at which to continue in the same text.
  ///   - use: what the lines before that have taken of the blobs.
  ///   - toleratesLostBlobs: whether to skip a value outside the blobs instead of throwing an
  ///     error.
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
    blobRoom = decoder.blobBytesLeft
    decoder.blobBytesLeft -= use.byteCount
    decoder.offsetDigits = use.digitCount
  }

  /// What the lines so far have taken of the blobs.
  var blobUse: BlobUse {
    BlobUse(byteCount: blobRoom - decoder.blobBytesLeft, digitCount: decoder.offsetDigits)
  }

  /// The number of the current line, from 1.
  var number: Int { splitter.number }

  /// Whether the current line has values in their own entries, references to files, or lost values.
  var hasExtras: Bool {
    !decoder.outOfLineValues.isEmpty || !decoder.externalReferences.isEmpty
      || !decoder.lostColumns.isEmpty
  }

  /// Decodes the next line.
  ///
  /// - Parameter sink: receives the values.
  /// - Returns: false at the end.
  /// - Throws: ``LineError`` if the line does not belong to the table; the next call continues
  ///   after it.
  mutating func next(
    into sink: borrowing some ValueSink & ~Copyable
  ) throws(LineError) -> Bool {
    guard let range = unsafe splitter.next(in: UnsafeRawBufferPointer(lines)) else { return false }
    let line = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[range])
    decoder.toOneCount = 0
    entity = unsafe try reader.read(line, &decoder, into: sink)
    return true
  }
}

/// What the lines of a part have taken of its blobs.
struct BlobUse: Sendable {
  /// The bytes that they refer to, each as often as they do.
  var byteCount = 0
  /// The digits of the offsets by which they do.
  var digitCount = 0
}
