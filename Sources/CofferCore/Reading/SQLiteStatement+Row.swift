package import CoreDataStore

extension SQLiteStatement {
  /// Binds a value of the current, loaded row of a cursor, which stays there until the statement has run.
  ///
  /// A value that the row does not lend is read completely, and copied.
  package func bind(_ column: Int, of cursor: some RowCursor, at parameter: Int32) throws {
    let row = cursor.row
    guard let bytes = unsafe row.bytes(column) else {
      return bind(try cursor.value(column), at: parameter)
    }
    if case .text = row.storageClass(column) {
      unsafe bind(lentText: bytes, at: parameter)
    } else {
      unsafe bind(lentBlob: bytes, at: parameter)
    }
  }
}

extension RowCursor {
  /// A value of the current, loaded row, read completely.
  package func value(_ column: Int) throws -> SQLiteValue {
    let storage = row.storageClass(column)
    guard storage == .text || storage == .blob, unsafe row.bytes(column) == nil else {
      return row.value(column)
    }
    let collected = CollectedBytes()
    try unsafe readValue(column) { unsafe collected.bytes.append(contentsOf: $0) }
    return storage == .text ? .text(collected.bytes) : .blob(collected.bytes)
  }
}

/// The bytes of a value that come in pieces.
///
/// A class: with a captured variable in its place, the compiler (6.3.1) does not end.
private final class CollectedBytes {
  var bytes: [UInt8] = []
}
