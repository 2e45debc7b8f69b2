package import CoreDataStore

/// Takes the values of a row, each for the parameter of its column: the column's index and 1.
///
/// Bytes are lent and stay where they are until the row is done.
package protocol ValueSink: ~Copyable {
  /// Forgets the values of the row before.
  func clearBindings()
  /// Takes no value.
  func bindNull(_ parameter: Int32)
  /// Takes an integer.
  func bind(_ value: Int64, at parameter: Int32)
  /// Takes a floating point number.
  func bind(_ value: Double, at parameter: Int32)
  /// Takes a text.
  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Takes a blob.
  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Takes a blob of a 1, the marker of data that stand in the row, and the bytes behind it.
  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Takes the announcement of a value that comes later.
  func bind(outOfLine value: OutOfLineValue)
}

/// A statement that inserts the row.
extension SQLiteStatement: ValueSink {
  package func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count + 1)
    copy.append(1)
    unsafe copy.append(contentsOf: bytes)
    bind(.blob(copy), at: parameter)
  }

  /// Puts something in the place of a value until it comes: not NULL, which the column may not allow.
  package func bind(outOfLine value: OutOfLineValue) {
    if value.isText {
      bind(.text([]), at: value.parameter)
    } else if !value.isReserved {
      bind(.blob([]), at: value.parameter)
    } else {
      bind(zeroBlob: Int64(value.length) + (value.isMarked ? 1 : 0), at: value.parameter)
    }
  }
}
