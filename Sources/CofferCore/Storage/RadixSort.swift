/// Sorts records by the bytes that differ, from the last byte to the first.
///
/// Each byte takes one pass over the records. Row and entity numbers are small, so a few passes are
/// enough for a record of 32 bytes. Sorted records take none.
enum RadixSort {
  /// Sorts records, with memory for twice as many.
  ///
  /// The records may be in the other memory afterwards, which is allocated if there is none, and needed.
  static func sort(
    _ records: inout UnsafeMutablePointer<PackedRecord>,
    _ scratch: inout UnsafeMutablePointer<PackedRecord>?, count: Int, capacity: Int
  ) {
    guard let varying = unsafe varyingBits(of: records, count: count) else { return }
    var source = unsafe records
    var target = unsafe scratch ?? .allocate(capacity: capacity)
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: 256)
    let words = [varying.word0, varying.word1, varying.word2, varying.word3]
    for word in words.indices.reversed() {
      for shift in stride(from: UInt64(0), to: 64, by: 8)
      where words[word] >> shift & 0xff != 0 {
        unsafe move(source, to: target, count: count, word: word, shift: shift, starts: starts)
        unsafe swap(&source, &target)
      }
    }
    unsafe starts.deallocate()
    unsafe scratch = target
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
