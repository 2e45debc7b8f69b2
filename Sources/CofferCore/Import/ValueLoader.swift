internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataStore

/// Fills in values that have their own entries, in rows that were inserted before.
struct ValueLoader {
  let database: SQLiteDatabase
  /// Records losses; nil if losses are errors.
  let salvage: Salvage?
  let entityNames: [Int64: Name]

  /// Fills in a value from the entry that the reader is at; a blob is written in pieces.
  func load(_ value: OutOfLineValue, of table: TableLayout, from reader: ArchiveReader) throws {
    let columns = table.fields.map(\.storedName)
    let column = columns[Int(value.parameter - 1)]
    if value.isText {
      let bytes = try reader.readWhole(limit: .textSize)
      return try unsafe bytes.withUnsafeBytes {
        unsafe try database.setText(
          $0, table: table.storedName, column: column, row: value.row, columns: columns)
      }
    }
    if !value.isReserved {
      try database.setZeros(
        value.length + (value.isMarked ? 1 : 0), table: table.storedName, column: column,
        row: value.row, columns: columns)
    }
    let blob = try database.blob(
      table: table.storedName, column: column, row: value.row, isWriting: true)
    var offset = 0
    if value.isMarked {
      try unsafe withUnsafeBytes(of: UInt8(1)) { unsafe try blob.write($0, at: 0) }
      offset = 1
    }
    var piece = ContiguousArray<UInt8>(repeating: 0, count: min(max(value.length, 1), 1 << 20))
    while true {
      let count = try unsafe piece.withUnsafeMutableBytes { room in
        let count = unsafe try reader.read(into: room)
        unsafe try blob.write(UnsafeRawBufferPointer(rebasing: room[..<count]), at: offset)
        return count
      }
      if count == 0 { break }
      offset += count
    }
  }

  /// Clears a value whose entry is incomplete.
  func lose(_ value: OutOfLineValue, of table: TableLayout, entry: String) throws {
    let column = Int(value.parameter - 1)
    let columns = table.fields.map(\.storedName)
    try database.removeValue(
      table: table.storedName, column: columns[column], row: value.row, columns: columns)
    var number: Int64?
    if let field = table.fields.first(where: { $0.role == .entityNumber }) {
      number = try database.integer(
        table: table.storedName, column: field.storedName, row: value.row, columns: columns)
    }
    salvage?.loseValue(
      table, entityName: number.flatMap { entityNames[$0] }, row: value.row, column: column,
      entry: entry)
  }
}
