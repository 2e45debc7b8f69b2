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

  /// Prepares to read a part.
  ///
  /// - Parameters:
  ///   - lines: the text, which decoding changes and which must outlive this value.
  ///   - blobs: the out-of-line values of the part, which must outlive this value too.
  ///   - reader: reads lines of the table.
  ///   - limits: the limits of the archive.
  ///   - splitter: the position at which to continue in the same text.
  ///   - toleratesLostBlobs: whether to skip a value outside the blobs instead of throwing an
  ///     error.
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
