internal import CofferCore
internal import CoreDataArchive
internal import CoreDataStore

/// A row as an export reads it from a store: every value is in memory, except for blobs that are too large.
struct SettledRow: RowValues {
  private let row: Row
  private let columnCount: Int

  /// Reads the values of a row that are elsewhere, as far as an export would read them with the row; large
  /// blobs have their own entries.
  init(_ side: ChangeSide, columnCount: Int, leavesLargeBlobs: Bool) throws {
    row = side.row
    self.columnCount = columnCount
    for column in 0..<columnCount {
      let isText = row.storageClass(column) == .text
      guard isText || row.storageClass(column) == .blob, unsafe row.bytes(column) == nil,
        isText || !leavesLargeBlobs || row.size(column) <= LineLimits.ownEntry
      else { continue }
      var bytes = ContiguousArray<UInt8>()
      bytes.reserveCapacity(min(row.size(column), ArchiveLimits.reservedRoom))
      try unsafe side.readValue(column) { unsafe bytes.append(contentsOf: $0) }
      row.keep(
        bytes,
        of: OutOfLineValue(
          number: 0, parameter: Int32(clamping: column + 1), length: bytes.count,
          isMarked: false, isText: isText, isReserved: false))
    }
  }

  /// By column: the place of the size of a blob that is not in memory.
  static func sizeColumns(_ columnCount: Int) -> [Int32] {
    (0..<columnCount).map { Int32(clamping: columnCount + 1 + $0) }
  }

  /// The column whose size is at a place; nil for the place of a column itself.
  private func sized(_ column: Int32) -> Int? {
    let sized = Int(column) - columnCount - 1
    return sized >= 0 ? sized : nil
  }

  private func isLarge(_ column: Int) -> Bool {
    unsafe row.storageClass(column) == .blob && row.bytes(column) == nil
  }

  func storageClass(_ column: Int32) -> StorageClass {
    if let sized = sized(column) { return isLarge(sized) ? .integer : .null }
    return isLarge(Int(column)) ? .null : row.storageClass(Int(column))
  }

  func int64(_ column: Int32) -> Int64 {
    if let sized = sized(column) { return Int64(row.size(sized)) }
    return row.int64(column)
  }

  func double(_ column: Int32) -> Double { row.double(column) }
  func textBytes(_ column: Int32) -> UnsafeRawBufferPointer { unsafe row.textBytes(column) }
  func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer { unsafe row.blobBytes(column) }
}
