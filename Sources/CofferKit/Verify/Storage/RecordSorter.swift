internal import CoreDataModel

/// Gathers records and gives them back in their order, in bounded memory.
///
/// One half of the memory gathers, the other is needed to sort. What was gathered is sorted and written to
/// a temporary file, as a run, when the first half is full. At the end the runs are merged.
@safe final class RecordSorter {
  /// How many runs stand in the temporary file.
  var runCount: Int { runs.count }

  private let memory: Int
  private var file: TemporaryFile
  private var runs: [RunMerge.Run] = []
  private var records: UnsafeMutablePointer<PackedRecord>?
  private var count = 0
  private var capacity = 0

  private static let recordSize = MemoryLayout<PackedRecord>.stride

  /// - Parameters:
  ///   - memory: how many bytes may be used; less than 1024 count as 1024. They are used when needed.
  ///   - temporaryFolder: where the temporary file is made; nil for the system's temporary folder.
  init(memory: Int = 8 << 20, temporaryFolder: String? = nil) {
    self.memory = max(memory, 1024)
    file = TemporaryFile(in: temporaryFolder)
  }

  deinit { unsafe records?.deallocate() }

  /// Adds a record.
  ///
  /// - Throws: `temporary-storage-failed`.
  func append(_ record: SortRecord) throws(CofferError) {
    if count == capacity { try makeRoom() }
    guard let records = unsafe records else { return }
    unsafe (records + count).initialize(to: PackedRecord(record))
    count &+= 1
  }

  /// Gives all records in their order; afterwards the sorter is empty again.
  ///
  /// - Throws: what the body throws, and `temporary-storage-failed`.
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
    let merge = try RunMerge(runs[...], of: file, room: room(for: runs.count))
    while let record = try merge.next() { try body(record.record) }
  }

  private func makeRoom() throws(CofferError) {
    let limit = memory / (2 * Self.recordSize)
    if capacity == limit { return try writeRun() }
    let larger = min(limit, max(64, capacity * 2))
    let room = UnsafeMutablePointer<PackedRecord>.allocate(capacity: larger)
    if let records = unsafe records {
      unsafe room.moveInitialize(from: records, count: count)
      unsafe records.deallocate()
    }
    unsafe records = room
    capacity = larger
  }

  private func sort() {
    guard var sorted = unsafe records else { return }
    unsafe RadixSort.sort(&sorted, count: count, capacity: capacity)
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
  /// How many runs are merged at once: reading fewer bytes of each at a time would be slow.
  private var mergeWidth: Int { max(2, memory / (32 << 10) - 1) }

  /// For how many records of each run there is memory, where one more buffer is needed.
  private func room(for runCount: Int) -> Int {
    max(1, min(memory / (runCount + 1), 1 << 20) / Self.recordSize)
  }

  /// Merges runs to longer ones until all can be merged at once.
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

  /// Merges a few runs to one.
  private func merge(
    _ group: ArraySlice<RunMerge.Run>, into target: TemporaryFile
  ) throws(CofferError) -> RunMerge.Run {
    let room = room(for: group.count)
    let merge = try RunMerge(group, of: file, room: room)
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
