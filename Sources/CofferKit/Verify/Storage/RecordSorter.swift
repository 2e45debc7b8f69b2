internal import CoreDataModel

/// Collects records and returns them sorted, in bounded memory.
///
/// Half of the memory collects records, the other half is for sorting. When the first half is full,
/// its records are sorted and written to a temporary file as a run. At the end, the runs are
/// merged.
@safe final class RecordSorter {
  /// The number of runs in the temporary file.
  var runCount: Int { runs.count }

  private let memory: Int
  private var file: TemporaryFile
  private var runs: [RunMerge.Run] = []
  private var records: UnsafeMutablePointer<PackedRecord>?
  /// Memory for as many, to sort them; nil before the first time.
  private var room: UnsafeMutablePointer<PackedRecord>?
  private var count = 0
  private var capacity = 0

  private static let recordSize = MemoryLayout<PackedRecord>.stride

  /// - Parameters:
  ///   - memory: the memory limit in bytes, at least 1024. Memory is allocated when needed.
  ///   - temporaryFolder: the folder for the temporary file; nil for the system's temporary folder.
  init(memory: Int = 8 << 20, temporaryFolder: String? = nil) {
    self.memory = max(memory, 1024)
    file = TemporaryFile(in: temporaryFolder)
  }

  deinit {
    unsafe records?.deallocate()
    unsafe room?.deallocate()
  }

  /// Adds a record.
  ///
  /// - Throws: `temporary-storage-failed`.
  func append(_ record: SortRecord) throws(CofferError) {
    if count == capacity { try makeRoom() }
    guard let records = unsafe records else { return }
    unsafe (records + count).initialize(to: PackedRecord(record))
    count &+= 1
  }

  /// Iterates over all records in order.
  ///
  /// Afterwards the sorter is empty.
  ///
  /// - Throws: errors from the body, and `temporary-storage-failed`.
  func forEach(_ body: (SortRecord) throws -> Void) throws {
    defer { removeAll() }
    guard !runs.isEmpty else {
      sort()
      guard let records = unsafe records else { return }
      for index in 0..<count { try body(unsafe records[index].record) }
      return
    }
    if count > 0 { try writeRun() }
    freeRecords()
    try reduceRuns()
    var merge = try RunMerge(runs[...], of: file, room: room(for: runs.count))
    while let record = try merge.next() { try body(record.record) }
  }

  private func makeRoom() throws(CofferError) {
    let limit = memory / (2 * Self.recordSize)
    if capacity == limit { return try writeRun() }
    let largerCapacity = min(limit, max(64, capacity * 2))
    let larger = UnsafeMutablePointer<PackedRecord>.allocate(capacity: largerCapacity)
    if let records = unsafe records {
      unsafe larger.moveInitialize(from: records, count: count)
      unsafe records.deallocate()
    }
    unsafe records = larger
    unsafe room?.deallocate()
    unsafe room = nil
    capacity = largerCapacity
  }

  private func sort() {
    guard var sorted = unsafe records else { return }
    unsafe RadixSort.sort(&sorted, &room, count: count, capacity: capacity)
    unsafe records = sorted
  }

  private func writeRun() throws(CofferError) {
    sort()
    let bytes = unsafe UnsafeRawBufferPointer(start: records, count: count * Self.recordSize)
    runs.append(RunMerge.Run(offset: try unsafe file.append(bytes), count: count))
    count = 0
  }

  private func freeRecords() {
    unsafe records?.deallocate()
    unsafe records = nil
    unsafe room?.deallocate()
    unsafe room = nil
    count = 0
    capacity = 0
  }

  private func removeAll() {
    freeRecords()
    runs = []
    file = TemporaryFile(in: file.folder)
  }
}

extension RecordSorter {
  /// The number of runs to merge at once.
  ///
  /// With more, each read would be too small.
  private var mergeWidth: Int { max(2, memory / (32 << 10) - 1) }

  /// The number of records of each run that fit in memory, with one more buffer.
  private func room(for runCount: Int) -> Int {
    max(1, min(memory / (runCount + 1), 1 << 20) / Self.recordSize)
  }

  /// Merges runs into longer ones until all can be merged at once.
  private func reduceRuns() throws(CofferError) {
    while runs.count > mergeWidth {
      let target = TemporaryFile(in: file.folder)
      var merged: [RunMerge.Run] = []
      for start in stride(from: 0, to: runs.count, by: mergeWidth) {
        let group = runs[start..<min(start + mergeWidth, runs.count)]
        merged.append(try merge(group, into: target))
      }
      file = target
      runs = merged
    }
  }

  /// Merges a few runs into one.
  private func merge(
    _ group: ArraySlice<RunMerge.Run>, into target: TemporaryFile
  ) throws(CofferError) -> RunMerge.Run {
    let room = room(for: group.count)
    var merge = try RunMerge(group, of: file, room: room)
    let buffer = UnsafeMutablePointer<PackedRecord>.allocate(capacity: room)
    defer { unsafe buffer.deallocate() }
    var result = RunMerge.Run(offset: target.size, count: 0)
    var filled = 0
    while let record = try merge.next() {
      unsafe (buffer + filled).initialize(to: record)
      filled += 1
      if filled == room {
        try unsafe write(buffer, count: filled, to: target)
        result.count += filled
        filled = 0
      }
    }
    try unsafe write(buffer, count: filled, to: target)
    result.count += filled
    return result
  }

  private func write(
    _ buffer: UnsafeMutablePointer<PackedRecord>, count: Int, to target: TemporaryFile
  ) throws(CofferError) {
    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: count * Self.recordSize)
    _ = try unsafe target.append(bytes)
  }
}

/// Sorts records by the bytes that differ, from the last byte to the first.
///
/// Each byte takes one pass over the records. Row and entity numbers are small, so a few passes are
/// enough for a record of 32 bytes. Sorted records take none.
enum RadixSort {
  /// Sorts records, with memory for twice as many.
  ///
  /// - Parameters:
  ///   - records: the records, which may be in the other memory afterwards.
  ///   - room: memory of the same capacity; allocated if there is none, and needed.
  ///   - count: the number of records.
  ///   - capacity: the number of records that fit.
  static func sort(
    _ records: inout UnsafeMutablePointer<PackedRecord>,
    _ room: inout UnsafeMutablePointer<PackedRecord>?, count: Int, capacity: Int
  ) {
    guard let varying = unsafe varyingBits(of: records, count: count) else { return }
    var source = unsafe records
    var target = unsafe room ?? .allocate(capacity: capacity)
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: 256)
    let words = [varying.word0, varying.word1, varying.word2, varying.word3]
    for word in words.indices.reversed() {
      for shift in stride(from: UInt64(0), to: 64, by: 8)
      where words[word] >> shift & 0xff != 0 {
        unsafe move(
          source, to: target, count: count, word: word, shift: shift, starts: starts)
        unsafe swap(&source, &target)
      }
    }
    unsafe starts.deallocate()
    unsafe room = target
    unsafe records = source
  }

  /// The bits that differ between records; nil if the records are sorted.
  private static func varyingBits(
    of records: UnsafeMutablePointer<PackedRecord>, count: Int
  ) -> PackedRecord? {
    guard count > 1 else { return nil }
    let first = unsafe records[0]
    var previous = first
    var varying = PackedRecord(SortRecord(topic: 0, rank: 0, key: 0, first: 0, second: 0))
    (varying.word0, varying.word1, varying.word2, varying.word3) = (0, 0, 0, 0)
    var isOrdered = true
    for index in 1..<count {
      let record = unsafe records[index]
      if isOrdered, record < previous { isOrdered = false }
      previous = record
      varying.word0 |= record.word0 ^ first.word0
      varying.word1 |= record.word1 ^ first.word1
      varying.word2 |= record.word2 ^ first.word2
      varying.word3 |= record.word3 ^ first.word3
    }
    return isOrdered ? nil : varying
  }

  /// Sorts the records by one byte, stably.
  private static func move(
    _ source: UnsafeMutablePointer<PackedRecord>, to target: UnsafeMutablePointer<PackedRecord>,
    count: Int, word: Int, shift: UInt64, starts: UnsafeMutablePointer<Int>
  ) {
    let size = MemoryLayout<PackedRecord>.stride
    let column = unsafe UnsafeRawPointer(source) + word * MemoryLayout<UInt64>.size
    unsafe starts.update(repeating: 0, count: 256)
    for index in 0..<count {
      let value = unsafe column.load(fromByteOffset: index &* size, as: UInt64.self)
      unsafe starts[Int(truncatingIfNeeded: value &>> shift & 0xff)] &+= 1
    }
    var start = 0
    for byte in 0..<256 {
      let amount = unsafe starts[byte]
      unsafe starts[byte] = start
      start += amount
    }
    for index in 0..<count {
      let value = unsafe column.load(fromByteOffset: index &* size, as: UInt64.self)
      let byte = Int(truncatingIfNeeded: value &>> shift & 0xff)
      unsafe (target + starts[byte]).initialize(to: source[index])
      unsafe starts[byte] &+= 1
    }
  }
}
