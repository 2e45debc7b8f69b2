internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Writes values as JSON, as in a line.
package final class ValueText {
  private var encoder: LineEncoder

  init(_ entityNames: [Int64: Name]) {
    encoder = LineEncoder(
      entityNames: EntityNames(entityNames), sizeColumns: [], blobsAreEntries: false,
      rowsHaveNumbers: true)
  }

  /// The value in a column; for a large value, its number of bytes; nil if there is none.
  func text(_ place: RowPairing.Place, of row: Row) -> String? {
    guard place.column >= 0 else { return nil }
    let column = Int(place.column)
    if place.entityColumn >= 0 {
      if row.isNull(column), row.isNull(Int(place.entityColumn)) { return nil }
    } else if row.isNull(column) {
      return nil
    }
    return Self.size(place.form, column, of: row)
      ?? encoder.text(
        LinePlan.Step(
          keyStart: 0, keyLength: 0, form: place.form, column: place.column,
          entityColumn: place.entityColumn),
        of: row)
  }

  /// A text as JSON.
  package static func quoted(_ text: String) -> String {
    var buffer = JSONBuffer(minimumCapacity: 64)
    buffer.appendString(text)
    return String(decoding: buffer.bytes(), as: UTF8.self)
  }

  /// The replacement for a value that is too large for its line; nil for other values.
  private static func size(_ form: ValueForm, _ column: Int, of row: Row) -> String? {
    let size = row.size(column)
    switch row.storageClass(column) {
    case .text where size > LineLimits.ownEntry: return "{\"$text\":\(size)}"
    case .blob:
      if form == .externalBinary, row.firstByte(column) == 1, size <= LineLimits.ownEntry {
        return size > LineLimits.outOfLine ? "{\"$bytes\":\(size - 1)}" : nil
      }
      guard size >= LineLimits.outOfLine else { return nil }
      let isNatural = form == .binary && size <= LineLimits.ownEntry
      return "{\"\(isNatural ? "$bytes" : "$blob")\":\(size)}"
    default: return nil
    }
  }
}
