internal import CoreDataArchive

/// Decodes the lines of a part, one after the other, where they stand.
@safe struct PartLines: ~Copyable {
  /// Decodes the values, and says what the current line has besides them.
  private(set) var decoder: LineDecoder
  /// The number of the entity of the current line's object; nil where it is none that is known.
  private(set) var entity: Int64?
  /// How far the reading is.
  private(set) var splitter: LineSplitter

  private let lines: UnsafeMutableRawBufferPointer
  private let reader: LineReader

  /// Prepares the reading of a part.
  ///
  /// - Parameters:
  ///   - lines: the text; it is changed while it is decoded, and stays as long as this value.
  ///   - blobs: the values of the part that stand out of line; they stay as long.
  ///   - reader: reads lines of the table.
  ///   - limits: what an archive may hold at most.
  ///   - splitter: where an earlier reading of the same text has stopped.
  ///   - toleratesLostBlobs: whether a value outside of the blobs is left out rather than an error.
  init(
    _ lines: UnsafeMutableRawBufferPointer, blobs: UnsafeRawBufferPointer, reader: LineReader,
    limits: ArchiveLimits, resuming splitter: LineSplitter = LineSplitter(),
    toleratesLostBlobs: Bool = false
  ) {
    unsafe self.lines = lines
    self.reader = reader
    self.splitter = splitter
    decoder = unsafe LineDecoder(blobs: blobs, entityNumbers: reader.entityNumbers, limits: limits)
    decoder.toleratesLostBlobs = toleratesLostBlobs
  }

  /// How many more bytes of the part's blobs the lines may refer to.
  var blobBytesLeft: Int { decoder.blobBytesLeft }

  /// Notes that other lines of the part have referred to bytes of its blobs.
  ///
  /// - Returns: how many bytes are left.
  mutating func useBlobs(after count: Int) -> Int {
    decoder.blobBytesLeft -= count
    return decoder.blobBytesLeft
  }

  /// The number of the current line, from 1.
  var number: Int { splitter.number }

  /// Whether the current line has values in entries of their own, references to files, or lost values.
  var hasExtras: Bool {
    !decoder.largeValues.isEmpty || !decoder.externalReferences.isEmpty
      || !decoder.lostColumns.isEmpty
  }

  /// Decodes the next line.
  ///
  /// - Parameter sink: takes the values.
  /// - Returns: false where no line is left.
  /// - Throws: ``LineError`` where the line is not one of the table; the next call goes on after it.
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
