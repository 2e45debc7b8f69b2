internal import CofferKit

/// Takes the values of a line and reads every byte of them.
struct RecordingSink: ValueSink {
  let record: BoundValues

  func clearBindings() { record.values.removeAll() }
  func bindNull(_ parameter: Int32) { record.values.append((parameter, .null)) }
  func bind(_ value: Int64, at parameter: Int32) {
    record.values.append((parameter, .integer(value)))
  }
  func bind(_ value: Double, at parameter: Int32) {
    record.values.append((parameter, .real(value.bitPattern)))
  }
  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    record.values.append((parameter, unsafe .text(copy(bytes))))
  }
  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    record.values.append((parameter, unsafe .blob(copy(bytes))))
  }
  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    record.values.append((parameter, unsafe .marked(copy(bytes))))
  }
  func bind(outOfLine value: OutOfLineValue) {
    record.values.append((value.parameter, .pending(value.name, value.length)))
  }

  /// Copies lent bytes after checking their place.
  private func copy(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let start = UInt(bitPattern: bytes.baseAddress)
    let count = bytes.count
    let isBorrowed =
      count == 0
      || record.lenders.contains {
        $0.lowerBound <= start && start + UInt(count) <= $0.upperBound
      }
    if !isBorrowed { record.isOutside = true }
    return unsafe isBorrowed ? Array(bytes) : []
  }
}
