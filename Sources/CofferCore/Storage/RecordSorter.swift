internal import CoreDataArchive
package import CoreDataModel

/// Collects records and returns them sorted, in bounded memory.
///
/// Half of the memory collects records, the other half is for sorting. When the first half is full,
/// its records are sorted and written to a temporary file as a run. At the end, the runs are
/// merged. If another thread is to sort and write, each of the three has a third.
@safe package final class RecordSorter {
  /// The number of runs in the temporary file, or on their way to it.
  var runCount: Int { runs.count + (writing?.inFlight ?? 0) }

  private let memory: Int
  /// Whether another thread sorts and writes.
  private let sortsInBackground: Bool
  private var writing: OrderedWork<RunWriting>?
  private var file: TemporaryFile
  private var runs: [RunMerge.Run] = []
  private var records: UnsafeMutablePointer<PackedRecord>?
  /// Memory for as many, to sort them; nil before the first time.
  private var scratch: UnsafeMutablePointer<PackedRecord>?
  private var count = 0
  private var capacity = 0

  private static let recordSize = MemoryLayout<PackedRecord>.stride

  /// - Parameters:
  ///   - memory: the memory limit in bytes, at least 1024. Memory is allocated when needed.
  ///   - temporaryFolder: the folder for the temporary file; nil for the system's temporary folder.
  ///   - sortsInBackground: whether another thread sorts and writes records that do not fit.
  package init(
    memory: Int = 8 << 20, temporaryFolder: String? = nil, sortsInBackground: Bool = false
  ) {
    self.memory = max(memory, 1024)
    self.sortsInBackground = sortsInBackground
    file = TemporaryFile(in: temporaryFolder)
  }

  deinit {
    unsafe records?.deallocate()
    unsafe scratch?.deallocate()
  }

  /// Adds a record; throws `temporary-storage-failed`, if another thread writes not before the next run.
  package func append(_ record: SortRecord) throws(CofferError) {
    if count == capacity { try growBuffer() }
    guard let records = unsafe records else { return }
    unsafe (records + count).initialize(to: PackedRecord(record))
    count &+= 1
  }

  /// Iterates over all records in order.
  ///
  /// Afterwards the sorter is empty.
  ///
  /// - Throws: errors from the body, and `temporary-storage-failed`.
  package func forEach(_ body: (SortRecord) throws -> Void) throws {
    defer { removeAll() }
    guard runCount > 0 else {
      sort()
      guard let records = unsafe records else { return }
      for index in 0..<count { try body(unsafe records[index].record) }
      return
    }
    try endWriting()
    writing = nil
    if count > 0 { try writeRun() }
    freeRecords()
    try reduceRuns()
    var merge = try RunMerge(runs[...], of: file, bufferSize: bufferSize(for: runs.count))
    while let record = try merge.next() { try body(record.record) }
  }

  private func growBuffer() throws(CofferError) {
    let limit = memory / ((sortsInBackground ? 3 : 2) * Self.recordSize)
    if capacity == limit { return try sortsInBackground ? writeInBackground() : writeRun() }
    let largerCapacity = min(limit, max(64, capacity * 2))
    let larger = UnsafeMutablePointer<PackedRecord>.allocate(capacity: largerCapacity)
    if let records = unsafe records {
      unsafe larger.moveInitialize(from: records, count: count)
      unsafe records.deallocate()
    }
    unsafe records = larger
    unsafe scratch?.deallocate()
    unsafe scratch = nil
    capacity = largerCapacity
  }

  private func sort() {
    guard var sorted = unsafe records else { return }
    unsafe RadixSort.sort(&sorted, &scratch, count: count, capacity: capacity)
    unsafe records = sorted
  }

  private func writeRun() throws(CofferError) {
    sort()
    let bytes = unsafe UnsafeRawBufferPointer(start: records, count: count * Self.recordSize)
    runs.append(RunMerge.Run(offset: try unsafe file.append(bytes), count: count))
    count = 0
  }

  /// Passes the records to another thread, and continues with the memory of the previous records.
  private func writeInBackground() throws(CofferError) {
    guard let filled = unsafe records else { return }
    if writing == nil { writing = OrderedWork(threads: 1, slots: 1) { RunWriting() } }
    try endWriting()
    let handed = unsafe RunWriting.Records(start: filled, count: count, capacity: capacity)
    let (file, capacity) = (file, capacity)
    let spare = writing?.withFree { $0.exchange(handed, file: file) } ?? nil
    writing?.submit()
    unsafe records = unsafe spare?.start ?? .allocate(capacity: capacity)
    count = 0
  }

  /// Waits for the run that is being written.
  private func endWriting() throws(CofferError) {
    guard let outcome = writing?.inFlight == 1 ? writing?.withOldest({ $0.outcome }) : nil else {
      return
    }
    writing?.releaseOldest()
    runs.append(try outcome.get())
  }

  private func freeRecords() {
    unsafe records?.deallocate()
    unsafe records = nil
    unsafe scratch?.deallocate()
    unsafe scratch = nil
    count = 0
    capacity = 0
  }

  private func removeAll() {
    writing = nil
    freeRecords()
    runs = []
    file = TemporaryFile(in: file.folder)
  }

  /// The number of runs to merge at once.
  ///
  /// With more, each read would be smaller than a page. The file was just written, so that small reads cost less
  /// than merging twice.
  private var mergeWidth: Int { max(2, memory / (4 << 10) - 1) }

  /// The number of records of each run that fit in memory, with one more buffer.
  private func bufferSize(for runCount: Int) -> Int {
    max(1, min(memory / (runCount + 1), 1 << 20) / Self.recordSize)
  }

  /// Merges as few runs as possible, so that all can then be merged at once.
  private func reduceRuns() throws(CofferError) {
    while runs.count > mergeWidth {
      let count = min(mergeWidth, runs.count - mergeWidth + 1)
      let merged = try merge(runs[..<count])
      runs = runs[count...] + [merged]
    }
  }

  /// Merges a few runs into one at the end of the file.
  private func merge(_ group: ArraySlice<RunMerge.Run>) throws(CofferError) -> RunMerge.Run {
    let size = bufferSize(for: group.count)
    var merge = try RunMerge(group, of: file, bufferSize: size)
    let buffer = UnsafeMutablePointer<PackedRecord>.allocate(capacity: size)
    defer { unsafe buffer.deallocate() }
    var result = RunMerge.Run(offset: file.size, count: 0)
    var filled = 0
    while let record = try merge.next() {
      unsafe (buffer + filled).initialize(to: record)
      filled += 1
      if filled == size {
        try unsafe write(buffer, count: filled)
        result.count += filled
        filled = 0
      }
    }
    try unsafe write(buffer, count: filled)
    result.count += filled
    return result
  }

  private func write(
    _ buffer: UnsafeMutablePointer<PackedRecord>, count: Int
  ) throws(CofferError) {
    let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: count * Self.recordSize)
    _ = try unsafe file.append(bytes)
  }
}

/// Sorts records and appends them to a temporary file as a run, on whatever thread.
@safe struct RunWriting: BlockWork, ~Copyable {
  /// Memory with records, which one thread has at a time.
  @safe struct Records: @unchecked Sendable {
    let start: UnsafeMutablePointer<PackedRecord>
    var count: Int
    let capacity: Int
  }

  /// The run, or why it could not be written.
  private(set) var outcome: Result<RunMerge.Run, CofferError>?
  private var records: Records?
  /// Memory for as many, to sort them; nil before the first time.
  private var scratch: UnsafeMutablePointer<PackedRecord>?
  private var file: TemporaryFile?

  init() {}

  deinit {
    unsafe records?.start.deallocate()
    unsafe scratch?.deallocate()
  }

  /// Takes records to sort and to write; returns the memory of the previous records, or nil the first time.
  mutating func exchange(_ records: Records, file: TemporaryFile) -> Records? {
    let spare = self.records
    (self.records, self.file) = (records, file)
    return spare
  }

  mutating func run() {
    guard let records, let file else { return }
    var sorted = unsafe records.start
    unsafe RadixSort.sort(&sorted, &scratch, count: records.count, capacity: records.capacity)
    self.records = unsafe Records(start: sorted, count: records.count, capacity: records.capacity)
    let size = records.count * MemoryLayout<PackedRecord>.stride
    do throws(CofferError) {
      let offset = try unsafe file.append(UnsafeRawBufferPointer(start: sorted, count: size))
      outcome = .success(RunMerge.Run(offset: offset, count: records.count))
    } catch {
      outcome = .failure(error)
    }
  }
}
