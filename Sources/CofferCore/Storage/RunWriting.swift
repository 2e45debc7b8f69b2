internal import CoreDataArchive
internal import CoreDataModel

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
  private var room: UnsafeMutablePointer<PackedRecord>?
  private var file: TemporaryFile?

  /// Nothing to write.
  init() {}

  deinit {
    unsafe records?.start.deallocate()
    unsafe room?.deallocate()
  }

  /// Takes records to sort and to write.
  ///
  /// - Parameters:
  ///   - records: memory of the same capacity each time.
  ///   - file: the file, which nobody else uses until the work is done.
  /// - Returns: the memory of the records before; nil the first time.
  mutating func exchange(_ records: Records, file: TemporaryFile) -> Records? {
    let spare = self.records
    (self.records, self.file) = (records, file)
    return spare
  }

  mutating func run() {
    guard let records, let file else { return }
    var sorted = unsafe records.start
    unsafe RadixSort.sort(&sorted, &room, count: records.count, capacity: records.capacity)
    self.records = unsafe Records(
      start: sorted, count: records.count, capacity: records.capacity)
    let size = records.count * MemoryLayout<PackedRecord>.stride
    do throws(CofferError) {
      let offset = try unsafe file.append(UnsafeRawBufferPointer(start: sorted, count: size))
      outcome = .success(RunMerge.Run(offset: offset, count: records.count))
    } catch {
      outcome = .failure(error)
    }
  }
}
