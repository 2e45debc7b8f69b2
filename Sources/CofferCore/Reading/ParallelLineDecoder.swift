internal import CoreDataArchive
internal import CoreDataModel

/// Hashes and decodes parts on other threads, ahead of the thread that takes their rows in order.
///
/// Keeps only a few parts at a time: of unusually large ones, a single one.
struct ParallelLineDecoder {
  /// More threads would decode faster than one takes the rows.
  private static let maxThreads = 2
  /// The maximum number of bytes of waiting parts, unless a single part has more.
  private static let maxBytes = 3 << 20

  /// The number of threads that pay on this computer.
  static var usualThreads: Int { min(maxThreads, ArchiveWriterOptions.defaultThreads) }

  private let limits: ArchiveLimits
  private let tolerance: PartDecoding.Tolerance
  private var work: OrderedWork<PartDecoding>
  private var parts: [(part: ArchivePart, size: Int)] = []
  private var waitingSize = 0
  private var spares = SpareMemory()

  /// With 0 threads, the caller's thread does the work.
  init(threads: Int, limits: ArchiveLimits, tolerance: PartDecoding.Tolerance) {
    (self.limits, self.tolerance) = (limits, tolerance)
    work = OrderedWork(threads: threads, slots: threads + 2) {
      PartDecoding(limits: limits, tolerance: tolerance)
    }
  }

  /// Releases all memory, after the last part.
  ///
  /// The memory of parts is significant compared to the memory for sorting at the end of a
  /// verification.
  mutating func end() {
    guard parts.isEmpty else { return }
    work = OrderedWork(threads: 0, slots: 1) { [limits, tolerance] in
      PartDecoding(limits: limits, tolerance: tolerance)
    }
    spares = SpareMemory()
  }

  /// The part whose rows come next; nil if none waits.
  var next: ArchivePart? { parts.first?.part }

  /// Whether a part, its blobs included, may be read before rows are taken.
  func hasRoom(for size: Int) -> Bool {
    parts.isEmpty || (!work.isFull && waitingSize <= Self.maxBytes && size <= Self.maxBytes)
  }

  /// Memory for the lines or the blobs of a part, which may have to grow.
  mutating func memory(for size: Int) -> ContiguousArray<UInt8> { spares.take(for: size) }

  /// Reads the lines of a part and starts to decode them.
  ///
  /// There must be space for it.
  ///
  /// The memory is used for the lines.
  mutating func read(
    _ part: ArchivePart, from reader: ArchiveReader,
    into memory: consuming ContiguousArray<UInt8>, _ lineReader: LineReader
  ) throws(CofferError) {
    var lines = memory
    var digests = [part.blobs.digest].compactMap { $0 }
    if let digest = try reader.readUnhashed(into: &lines) { digests.append(digest) }
    let size = lines.count + part.blobs.bytes.count
    let blobs = part.blobs
    work.withFree { work in
      swap(&work.decoded.lines, &lines)
      work.begin(blobs, digests, lineReader)
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
  ///   the part is needed.
  /// - Throws: errors from the body; nothing can be taken after that.
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
    waitingSize -= parts.removeFirst().size
    // Kept and waiting memory together is at most twice the maximum of waiting memory.
    for memory in work.withOldest({ $0.end() }) {
      spares.keep(memory, ofAtMost: 2 * Self.maxBytes - waitingSize)
    }
    work.releaseOldest()
  }
}

/// Memory of lines and blobs that were read, for others.
///
/// Parts of more than one block use separate memory, so that the rest stays small.
private struct SpareMemory {
  /// The maximum memory in bytes for one block, and for a part that ends where it must.
  private static let (usualSize, largestSize) = (
    ArchiveLimits.blockSize + (8 << 10), 2 * ArchiveLimits.blockSize + (64 << 10)
  )

  private var usual: [ContiguousArray<UInt8>] = []
  private var usualBytes = 0
  private var large: ContiguousArray<UInt8> = []

  /// Memory for a number of bytes, which may have to grow.
  mutating func take(for size: Int) -> ContiguousArray<UInt8> {
    var memory: ContiguousArray<UInt8> = []
    if size > ArchiveLimits.blockSize {
      swap(&memory, &large)
    } else if let last = usual.popLast() {
      usualBytes -= last.capacity
      memory = last
    }
    return memory
  }

  /// Keeps memory, unless that would be much.
  mutating func keep(_ memory: consuming ContiguousArray<UInt8>, ofAtMost most: Int) {
    let size = memory.capacity
    if size <= Self.usualSize {
      guard size > 0, usualBytes + size <= most else { return }
      usualBytes += size
      usual.append(memory)
    } else if size <= Self.largestSize, size > large.capacity {
      large = memory
    }
  }
}
