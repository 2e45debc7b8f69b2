internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Reads the lines of parts in batches and decodes them on other threads, while earlier rows are
/// inserted.
///
/// Keeps only a few batches at a time, and little more than the out-of-line values of one part.
struct ParallelLineDecoder {
  /// The origin of a batch.
  struct Piece {
    /// The table.
    var shape: TableLayout
    /// The entry.
    var entry: String
    /// Whether it is the first of its part.
    var isFirst: Bool
    /// Whether it is the last of its part.
    var isLast: Bool
    /// The bytes of the part's out-of-line values, if it is the first.
    fileprivate var blobSize: Int
  }

  private static let slots = 4
  /// How many bytes of out-of-line values may wait in addition to those of the next part.
  private static let blobSize = 4 << 20

  private var work: OrderedWork<LineBatch>
  private var pieces: [Piece] = []
  private var waitingBlobSize = 0
  private var spare = DecodedRows()
  /// The beginning of a line that continues in the next batch.
  private var beginning: ContiguousArray<UInt8> = []

  /// - Parameters:
  ///   - limits: the limits of the archive.
  ///   - isTolerant: whether to skip invalid lines and lost values.
  init(limits: ArchiveLimits, isTolerant: Bool) {
    work = OrderedWork(threads: 1, slots: Self.slots) {
      var piece = LineBatch()
      piece.limits = limits
      piece.isTolerant = isTolerant
      return piece
    }
  }

  /// The batch whose rows to insert next; nil if none waits.
  var next: Piece? { pieces.first }
  /// Whether rows must be inserted before more lines can be read.
  var isFull: Bool { work.isFull }

  /// Whether there is room for the values of a part in addition to those that wait.
  func hasRoom(forBlobs size: Int) -> Bool {
    pieces.isEmpty || waitingBlobSize <= Self.blobSize && size <= Self.blobSize
  }

  /// Reads the next batch of lines of an entry and starts to decode it.
  ///
  /// There must be a free slot.
  ///
  /// - Parameters:
  ///   - reader: the archive, at the entry.
  ///   - left: the number of unread bytes of the entry.
  ///   - piece: the origin of the batch.
  ///   - lineReader: reads lines of the table.
  ///   - blobs: the out-of-line values of the part.
  /// - Returns: whether the entry continues.
  /// - Throws: errors from reading.
  mutating func read(
    _ reader: ArchiveReader, left: inout Int, _ piece: Piece, _ lineReader: LineReader,
    _ blobs: PartBlobs
  ) throws(CofferError) -> Bool {
    var lines: ContiguousArray<UInt8> = []
    work.withFree { swap(&$0.decoded.lines, &lines) }
    let size = try fill(&lines, from: reader, left: &left)
    work.withFree { work in
      swap(&work.decoded.lines, &lines)
      work.size = size
      work.lineReader = lineReader
      work.decoded.blobs = blobs
      work.rewind()
    }
    var piece = piece
    piece.isLast = left == 0 && beginning.isEmpty
    piece.blobSize = piece.isFirst ? blobs.bytes.count : 0
    waitingBlobSize += piece.blobSize
    pieces.append(piece)
    work.submit()
    return !piece.isLast
  }

  /// Fills a batch with complete lines.
  ///
  /// - Returns: the number of bytes.
  private mutating func fill(
    _ lines: inout ContiguousArray<UInt8>, from reader: ArchiveReader, left: inout Int
  ) throws(CofferError) -> Int {
    let wanted = max(LineBatch.size, beginning.count)
    // Release the extra memory that a long line needed.
    if lines.count < wanted || lines.count > 4 * wanted {
      lines = ContiguousArray(repeating: 0, count: wanted)
    }
    var count = beginning.count
    lines.replaceSubrange(..<count, with: beginning)
    beginning.removeAll(keepingCapacity: true)
    while true {
      while left > 0, count < lines.count {
        let got = try unsafe lines.withMutableBytes { room throws(CofferError) in
          let end = min(room.count, count + left)
          return try unsafe reader.read(
            into: UnsafeMutableRawBufferPointer(rebasing: room[count..<end]))
        }
        // Missing bytes are noticed at the end of the entry.
        if got == 0 { left = 0 }
        count += got
        left -= min(got, left)
      }
      if left == 0 { return count }
      if let end = lines[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        beginning.append(contentsOf: lines[(end + 1)..<count])
        return end + 1
      }
      lines.append(contentsOf: repeatElement(0, count: lines.count))
    }
  }

  /// Waits for the rows of the next batch and removes them.
  ///
  /// - Parameter body: receives the rows; called more than once if the batch has many values.
  /// - Throws: errors from the body.
  mutating func takeNext(_ body: (DecodedRows) throws -> Void) throws {
    while true {
      var rows = DecodedRows()
      swap(&rows, &spare)
      let isAtEnd = work.withOldest { work in
        swap(&work.decoded, &rows)
        return work.isAtEnd
      }
      try body(rows)
      if isAtEnd {
        rows.blobs = .empty
        swap(&rows, &spare)
        break
      }
      // There are more values than fit in a batch, so read the remaining lines here.
      work.withOldest { work in
        swap(&work.decoded, &rows)
        work.run()
      }
      swap(&rows, &spare)
    }
    work.releaseOldest()
    waitingBlobSize -= pieces.removeFirst().blobSize
  }
}

extension ParallelLineDecoder.Piece {
  /// Creates a batch of an entry.
  init(_ shape: TableLayout, entry: String, isFirst: Bool) {
    self.init(shape: shape, entry: entry, isFirst: isFirst, isLast: false, blobSize: 0)
  }
}
