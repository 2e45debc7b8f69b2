internal import CoreDataModel

/// Merges the sorted runs of a temporary file.
///
/// A value, and not an object, for whose properties each access would be checked for others at the same time,
/// for each record.
@safe struct RunMerge: ~Copyable {
  /// A sequence of sorted records in the file.
  struct Run: Sendable {
    /// The offset of the first record, in bytes.
    var offset: Int
    /// The number of records, at least one.
    var count: Int
  }

  /// The rest of a run, and its part in memory.
  private struct Source {
    /// The part that is only in the file.
    var rest: Run
    /// The position of the next record in the buffers.
    var next: Int
    /// The position after the last record in the buffers.
    var end: Int
  }

  /// The next record of a run.
  private struct Head {
    var record: PackedRecord
    var source: Int
  }

  private let file: TemporaryFile
  private let bufferSize: Int
  private let buffers: UnsafeMutablePointer<PackedRecord>
  private var sources: ContiguousArray<Source> = []
  /// The next records as a binary heap.
  private var heads: ContiguousArray<Head> = []

  /// The size of the buffer is a number of records of each run, at least 1.
  init(_ runs: ArraySlice<Run>, of file: TemporaryFile, bufferSize: Int) throws(CofferError) {
    self.file = file
    self.bufferSize = bufferSize
    unsafe buffers = .allocate(capacity: runs.count * bufferSize)
    for (index, run) in runs.enumerated() {
      sources.append(Source(rest: run, next: index * bufferSize, end: index * bufferSize))
      if let record = try take(from: index) { heads.append(Head(record: record, source: index)) }
    }
    for index in stride(from: heads.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  deinit { unsafe buffers.deallocate() }

  /// The next record; nil after the last.
  mutating func next() throws(CofferError) -> PackedRecord? {
    guard let head = heads.first else { return nil }
    if let record = try take(from: head.source) {
      heads[0].record = record
    } else {
      let last = heads.removeLast()
      if heads.isEmpty { return head.record }
      heads[0] = last
    }
    sink(from: 0)
    return head.record
  }

  /// The next record of one run; nil at its end.
  private mutating func take(from index: Int) throws(CofferError) -> PackedRecord? {
    let place = sources[index].next
    if place == sources[index].end { return try refill(index) }
    sources[index].next = place &+ 1
    return unsafe buffers[place]
  }

  /// Reads more of a run and takes its first record; nil at the end of the run.
  private mutating func refill(_ index: Int) throws(CofferError) -> PackedRecord? {
    var source = sources[index]
    let count = min(bufferSize, source.rest.count)
    guard count > 0 else { return nil }
    let size = count * MemoryLayout<PackedRecord>.stride
    let start = index * bufferSize
    try unsafe file.read(
      at: source.rest.offset,
      into: UnsafeMutableRawBufferPointer(start: buffers + start, count: size))
    source.rest.offset += size
    source.rest.count -= count
    source.next = start + 1
    source.end = start + count
    sources[index] = source
    return unsafe buffers[start]
  }

  /// Moves a record down the heap to its place.
  private mutating func sink(from start: Int) {
    unsafe heads.withUnsafeMutableBufferPointer { heads in
      let head = unsafe heads[start]
      var place = start
      while true {
        var child = 2 * place + 1
        guard child < heads.count else { break }
        if child + 1 < heads.count, unsafe heads[child + 1].record < heads[child].record {
          child += 1
        }
        guard unsafe heads[child].record < head.record else { break }
        unsafe heads[place] = unsafe heads[child]
        place = child
      }
      unsafe heads[place] = head
    }
  }
}
