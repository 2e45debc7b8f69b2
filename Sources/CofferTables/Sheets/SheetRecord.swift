package import CoreDataModel

/// A value of a table, before the model gives it a type.
package enum SheetValue: Equatable {
  case none
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// A floating point number whose text may have more digits than it, with the place of the text in the
  /// ``SheetBuffer``.
  case written(Double, Range<Int>)
  case boolean(Bool)
  /// A text, by the place of its bytes in the ``SheetBuffer``, which need not be UTF-8.
  case text(Range<Int>)
  /// Bytes, by their place in the ``SheetBuffer``.
  case blob(Range<Int>)
  /// A list, by the place of its values in ``SheetRecord/elements``.
  case list(Range<Int>)
}

/// A record of a table: an object, or a pair.
///
/// The same one is refilled for each.
package struct SheetRecord {
  /// A value and the number of its column.
  package struct Field: Equatable {
    /// The number of the column.
    package var column: Int
    /// The value.
    package var value: SheetValue

    package init(column: Int, value: SheetValue) {
      self.column = column
      self.value = value
    }
  }

  /// The values in the order of the file.
  package var fields: ContiguousArray<Field> = []
  /// The values of all lists.
  package var elements: ContiguousArray<SheetValue> = []
  /// The line of a text file at which the record begins, or the number of the row; from 1.
  package var line = 0

  package init() {}

  /// Removes the values and keeps the memory.
  package mutating func removeAll() {
    fields.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}

/// Reads the records of one table, one after another.
package protocol SheetReader: AnyObject {
  /// The known names of columns: all of them, or the names in the records so far.
  var columns: [String] { get }
  /// The record that was read last.
  var record: SheetRecord { get }
  /// The bytes of its values, valid until the next record is read.
  var buffer: SheetBuffer { get }
  /// The unit of ``SheetRecord/line``: `line` or `row`.
  var unit: String { get }
  /// The record that was read last, for errors: `line 7`.
  var label: String { get }

  /// The line with the names of the columns; nil where every record names its own.
  var headerLine: Int? { get }

  /// Reads the next record.
  ///
  /// - Returns: false if there is none.
  /// - Throws: `CofferError` with `invalid-table` if the file does not have the format in its name; with other
  ///   codes if it cannot be read.
  func next() throws(CofferError) -> Bool
}

extension SheetReader {
  package var headerLine: Int? { nil }
  package var label: String { "\(unit) \(record.line)" }

  /// The place of a column, for errors about its name.
  func header(_ record: SheetPlace) -> SheetPlace {
    var place = record
    if let headerLine { place.line = "\(unit) \(headerLine)" }
    return place
  }
}

/// The place of a value in a table, for errors.
package struct SheetPlace: Equatable {
  var path: String
  /// The line or row, as `line 7`; nil for the file as a whole.
  var line: String?
  /// The name of the column, or nil.
  var column: String?

  /// The error about something at this place.
  package func error(_ detail: String, advice: CofferError.Advice? = nil) -> CofferError {
    let item = [line, column.map { "column \($0)" }].compactMap(\.self).joined(separator: ", ")
    return CofferError(
      .invalidTable, path: path, item: item.isEmpty ? nil : item, detail: detail, advice: advice)
  }
}
