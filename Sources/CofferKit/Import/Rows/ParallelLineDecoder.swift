internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Reads the lines of parts in pieces and decodes them on another thread, while rows of pieces before
/// are inserted.
///
/// At most a few pieces exist at once, and little more than one part's values out of line.
struct ParallelLineDecoder {
  /// What a piece belongs to.
  struct Piece {
    /// The table.
    var shape: TableLayout
    /// The entry.
    var entry: String
    /// Whether it is the first of its part.
    var isFirst: Bool
    /// Whether it is the last of its part.
    var isLast: Bool
    /// The bytes of the part's values out of line, where it is the first.
    fileprivate var blobSize: Int
  }

  private static let slots = 4
  /// How many bytes of values out of line may wait besides those of the part that comes.
  private static let blobSize = 4 << 20

  private var work: OrderedWork<LineBatch>
  private var pieces: [Piece] = []
  private var waitingBlobSize = 0
  private var spare = DecodedRows()
  /// The beginning of a line whose end comes with the next piece.
  private var beginning: ContiguousArray<UInt8> = []

  /// - Parameters:
  ///   - limits: what an archive may hold at most.
  ///   - isTolerant: whether lines that are none, and values that are lost, are left out.
  init(limits: ArchiveLimits, isTolerant: Bool) {
    work = OrderedWork(threads: 1, slots: Self.slots) {
      var piece = LineBatch()
      piece.limits = limits
      piece.isTolerant = isTolerant
      return piece
    }
  }

  /// The piece whose rows are to be inserted next; nil where none waits.
  var next: Piece? { pieces.first }
  /// Whether rows have to be inserted before more lines can be read.
  var isFull: Bool { work.isFull }

  /// Whether there is room for the values of a part beside those that wait.
  func hasRoom(forBlobs size: Int) -> Bool {
    pieces.isEmpty || waitingBlobSize <= Self.blobSize && size <= Self.blobSize
  }

  /// Reads the next piece of the lines of an entry and begins to decode it; there is a free slot.
  ///
  /// - Parameters:
  ///   - reader: at the entry.
  ///   - left: how many bytes of the entry were not read.
  ///   - piece: what it belongs to.
  ///   - lineReader: reads lines of the table.
  ///   - blobs: the values of the part that stand out of line.
  /// - Returns: whether more of the entry comes.
  /// - Throws: as reading does.
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

  /// Fills a piece with whole lines.
  ///
  /// - Returns: how many bytes they have.
  private mutating func fill(
    _ lines: inout ContiguousArray<UInt8>, from reader: ArchiveReader, left: inout Int
  ) throws(CofferError) -> Int {
    let wanted = max(LineBatch.size, beginning.count)
    // One that a long line made larger does not stay so.
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
        // What is missing comes to light when the entry ends.
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

  /// Waits for the rows of the next piece and takes them out.
  ///
  /// - Parameter body: takes the rows, perhaps several times for all of the piece.
  /// - Throws: what the body throws.
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
      // More values than a piece has room for: the rest of its lines is read here.
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
  /// A piece of an entry.
  init(_ shape: TableLayout, entry: String, isFirst: Bool) {
    self.init(shape: shape, entry: entry, isFirst: isFirst, isLast: false, blobSize: 0)
  }
}
