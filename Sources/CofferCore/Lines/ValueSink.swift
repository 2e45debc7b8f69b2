package import CoreDataStore

/// Receives the values of a row.
///
/// The parameter of a column is its index plus 1.
///
/// Bytes are borrowed and must stay unchanged until the row is done.
package protocol ValueSink: ~Copyable {
  /// Discards the values of the previous row.
  func clearBindings()
  /// Receives NULL.
  func bindNull(_ parameter: Int32)
  /// Receives an integer.
  func bind(_ value: Int64, at parameter: Int32)
  /// Receives a floating point number.
  func bind(_ value: Double, at parameter: Int32)
  /// Receives a text.
  func bind(lentText bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Receives a blob.
  func bind(lentBlob bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Receives a blob that consists of a 1, the marker of data in the row, and the following bytes.
  func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32)
  /// Receives the announcement of a value that comes later.
  func bind(outOfLine value: OutOfLineValue)

  /// Whether a line has two values of a column, the old and the new value of a change.
  func expectsPair(of column: Int32) -> Bool
  /// Directs the following values to the state before a change, or after it; to both for nil.
  func turn(toAfter isAfter: Bool?)
}

extension ValueSink where Self: ~Copyable {
  /// Lines have one value of each column.
  package func expectsPair(of column: Int32) -> Bool { false }
  package func turn(toAfter isAfter: Bool?) {}
}

extension SQLiteStatement: ValueSink {
  package func bind(markedBlob bytes: UnsafeRawBufferPointer, at parameter: Int32) {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count + 1)
    copy.append(1)
    unsafe copy.append(contentsOf: bytes)
    bind(.blob(copy), at: parameter)
  }

  /// Binds a placeholder until the value comes.
  ///
  /// It is not NULL, which the column may not allow.
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
