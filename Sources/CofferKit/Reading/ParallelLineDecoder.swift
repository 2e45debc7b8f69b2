internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Hashes and decodes parts on other threads, ahead of the thread that takes their rows in order.
///
/// Keeps only a few parts at a time: of unusually large ones, a single one.
struct ParallelLineDecoder {
  /// More threads would decode faster than one takes the rows.
  private static let mostThreads = 2
  /// How many bytes of parts may wait, unless one alone has more.
  private static let mostBytes = 3 << 20

  /// The number of threads that pay on this computer.
  static var usualThreads: Int { min(mostThreads, ArchiveWriterOptions.defaultThreads) }

  private let limits: ArchiveLimits
  private let tolerance: PartDecoding.Tolerance
  private var work: OrderedWork<PartDecoding>
  private var parts: [(part: ArchivePart, size: Int)] = []
  private var waitingSize = 0
  private var spares = SpareLines()

  /// - Parameters:
  ///   - threads: the number of threads; with 0, the caller's thread does the work.
  ///   - limits: the limits of the archive.
  ///   - tolerance: what to do with a line that cannot be read.
  init(threads: Int, limits: ArchiveLimits, tolerance: PartDecoding.Tolerance) {
    (self.limits, self.tolerance) = (limits, tolerance)
    work = OrderedWork(threads: threads, slots: threads + 2) {
      PartDecoding(limits: limits, tolerance: tolerance)
    }
  }

  /// Gives all memory up: no part comes any more.
  ///
  /// Memory of parts is much beside what a verification sorts at its end.
  mutating func end() {
    guard parts.isEmpty else { return }
    work = OrderedWork(threads: 0, slots: 1) { [limits, tolerance] in
      PartDecoding(limits: limits, tolerance: tolerance)
    }
    spares = SpareLines()
  }

  /// The part whose rows come next; nil if none waits.
  var next: ArchivePart? { parts.first?.part }

  /// Whether a part, its blobs included, may be read before rows are taken.
  func hasRoom(for size: Int) -> Bool {
    parts.isEmpty || (!work.isFull && waitingSize <= Self.mostBytes && size <= Self.mostBytes)
  }

  /// Reads the lines of a part and starts to decode them.
  ///
  /// There must be room for it.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - reader: the archive, at the entry with the lines.
  ///   - lineReader: reads lines of the table.
  ///   - observer: observes the rows; nil for nobody.
  /// - Throws: errors from reading.
  mutating func read(
    _ part: ArchivePart, from reader: ArchiveReader, _ lineReader: LineReader,
    _ observer: (any DecodedRowsObserver)? = nil
  ) throws(CofferError) {
    var lines = spares.take(for: part.entry.size)
    var digests = [part.blobs.digest].compactMap { $0 }
    if let digest = try reader.readUnhashed(into: &lines) { digests.append(digest) }
    let size = lines.count + part.blobs.bytes.count
    let blobs = part.blobs
    work.withFree { work in
      swap(&work.decoded.lines, &lines)
      work.begin(blobs, digests, lineReader, observer)
    }
    var waiting = part
    waiting.blobs = .empty
    parts.append((waiting, size))
    waitingSize += size
    work.submit()
  }

  /// Waits for the rows of the next part and removes them.
  ///
  /// - Parameter body: receives the rows, more than once if the part has many; returns whether the rest of
  ///   the part is wanted.
  /// - Throws: errors from the body, after which nothing can be taken any more.
  mutating func takeNext(_ body: (DecodedRows) throws -> Bool) throws {
    var isAtEnd = false
    while !isAtEnd {
      var rows = DecodedRows()
      isAtEnd = work.withOldest { work in
        let isAtEnd = work.isAtEnd
        swap(&work.decoded, &rows)
        return isAtEnd
      }
      if try !body(rows) { isAtEnd = true }
      work.withOldest { [isAtEnd] work in
        swap(&work.decoded, &rows)
        // There are more rows than fit, so the next ones are decoded here.
        if !isAtEnd { work.run() }
      }
    }
    spares.keep(work.withOldest { $0.end() })
    work.releaseOldest()
    waitingSize -= parts.removeFirst().size
  }
}

/// Memory of lines that were read, for others.
///
/// A part of more than one block takes memory that only such parts use, so that the rest stays small.
private struct SpareLines {
  /// The most bytes of memory for a part that is one block, and for one that ends where it must.
  private static let (usualSize, largestSize) = (
    ArchiveLimits.blockSize + (8 << 10), 2 * ArchiveLimits.blockSize + (64 << 10)
  )

  private var usual: [ContiguousArray<UInt8>] = []
  private var large: ContiguousArray<UInt8> = []

  /// Memory for a number of bytes, which may have to grow.
  mutating func take(for size: Int) -> ContiguousArray<UInt8> {
    guard size > ArchiveLimits.blockSize else { return usual.popLast() ?? [] }
    var memory: ContiguousArray<UInt8> = []
    swap(&memory, &large)
    return memory
  }

  /// Keeps memory, unless that would be much.
  mutating func keep(_ memory: consuming ContiguousArray<UInt8>) {
    if memory.capacity <= Self.usualSize {
      usual.append(memory)
    } else if memory.capacity <= Self.largestSize {
      large = memory
    }
  }
}
