internal import CoreDataArchive
internal import CoreDataStore

/// A condition for the values of one column.
struct ValueTest {
  /// The column.
  let column: Int
  /// How the values are compared.
  let subject: ValueConditionBuilder.Subject
  /// Whether a marker before the bytes says where they are.
  let isExternal: Bool
  /// The condition.
  let condition: ValueCondition

  /// Whether the value of a row meets the condition, is missing, or cannot be evaluated.
  func passes(_ row: Row) -> Bool {
    if row.isNull(column) { return true }
    switch subject {
    case .number, .date: return unsafe condition.holds(number(row), nil) != false
    case .binary: return unsafe condition.holds(size(row), nil) != false
    case .text:
      guard row.storageClass(column) == .text, let text = unsafe row.bytes(column) else {
        return true
      }
      let length = unsafe UTF8Text.utf16Count(text)
      return unsafe condition.holds(.integer(Int64(length)), text) != false
    case .other: return unsafe condition.holds(nil, nil) != false
    }
  }

  private func number(_ row: Row) -> StoredNumber? {
    switch row.storageClass(column) {
    case .integer: row.integer(column).map(StoredNumber.integer)
    case .real: row.number(column).map(StoredNumber.real)
    default: nil
    }
  }

  /// The number of bytes; nil if they are in a file.
  private func size(_ row: Row) -> StoredNumber? {
    guard row.storageClass(column) == .blob else { return nil }
    let size = Int64(row.size(column))
    if !isExternal { return .integer(size) }
    // After a 1 comes the value itself, after a 2 the name of its file.
    return row.firstByte(column) == 1 ? .integer(size &- 1) : nil
  }
}
