import CoreDataStore
import Testing

@testable import CofferCore

/// Rows that were copied for another thread.
@Suite struct CopiedRowsTests {
  /// The values of a row, with the known facts about values that are not lent.
  private static func values(_ row: Row) -> [String] {
    (0..<row.columnCount).map { column in
      let bytes = unsafe row.bytes(column).map { unsafe Array($0) }
      let payload = unsafe row.payload(column).map { unsafe Array($0) }
      return "\(row.storageClass(column)) \(row.integer(column) as Int64?) "
        + "\(row.number(column) as Double?) \(row.size(column)) "
        + "\(row.firstByte(column) as UInt8?) \(bytes as [UInt8]?) \(payload as [UInt8]?)"
    }
  }

  @Test func everyRowIsLentAsItWasCopied() {
    let kinds = 9
    let row = Row(columnCount: kinds)
    let (text, blob, none): ([UInt8], [UInt8], [UInt8]) = (Array("Ürümqi".utf8), [2, 0, 255], [])
    var copied = CopiedRows(reserving: 64)
    for round in 1...2 {
      var expected: [[String]] = []
      for shift in 0..<(3 * kinds) {
        unsafe text.withUnsafeBytes { text in
          unsafe blob.withUnsafeBytes { blob in
            unsafe none.withUnsafeBytes { none in
              row.clearBindings()
              let place = { (kind: Int) in Int32((kind + shift) % kinds + 1) }
              row.bind(Int64.min + Int64(shift), at: place(0))
              row.bind(-0.5, at: place(1))
              unsafe row.bind(lentText: text, at: place(2))
              unsafe row.bind(lentText: none, at: place(3))
              unsafe row.bind(lentBlob: blob, at: place(4))
              unsafe row.bind(lentBlob: none, at: place(5))
              unsafe row.bind(markedBlob: blob, at: place(6))
              row.setLarge(Int(place(7)) - 1, size: 5_000_000, firstByte: 7)
              row.rowNumber = Int64(shift)
              expected.append(Self.values(row))
              copied.append(row)
            }
          }
        }
      }
      var lent: [[String]] = []
      copied.forEach(row) { lent.append(Self.values(row)) }
      #expect(lent == expected)
      #expect(Self.values(row) == Self.values(Row(columnCount: kinds)))
      #expect(copied.count == 3 * kinds, "round \(round)")
      copied.removeAll()
      #expect(copied.count == 0 && copied.byteCount == 0)
    }
  }
}
