internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The values in their own entries that lines of a part refer to, until these entries are read.
struct ExpectedValues {
  private var values: [ExactString: OutOfLineValue] = [:]
  /// The table of the part.
  private var table: TableLayout?

  /// Adds an expected value of a row.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - table: the table of the row.
  ///   - part: the part of the row: its folder and number.
  /// - Returns: the defect where another value is said to be the same entry; that one is forgotten.
  mutating func expect(
    _ value: OutOfLineValue, of table: TableLayout, in part: String
  ) -> ArchiveDefect? {
    let entry = "\(part).\(value.name)"
    self.table = table
    guard values.updateValue(value, forKey: ExactString(entry)) != nil else { return nil }
    return ArchiveDefect(.sharedValue, of: table, entry: entry)
  }

  /// Removes and returns the expected value of an entry; nil if no line refers to it.
  mutating func take(_ entry: String) -> (value: OutOfLineValue, table: TableLayout)? {
    guard let table, let value = values.removeValue(forKey: ExactString(entry)) else { return nil }
    return (value, table)
  }

  /// Removes all expected values and passes them on as defects, in the order of their rows.
  ///
  /// - Throws: errors from the closure.
  mutating func takeMissing(_ body: (ArchiveDefect) throws -> Void) rethrows {
    guard let table, !values.isEmpty else { return }
    let missing = values.sorted {
      // Where rows have no numbers yet, the names of the entries tell: value-9 is before value-10.
      ($0.value.row, $0.value.parameter, $0.key.text.utf8.count, $0.key.text)
        < ($1.value.row, $1.value.parameter, $1.key.text.utf8.count, $1.key.text)
    }
    values.removeAll()
    for (entry, value) in missing {
      try body(ArchiveDefect(.missingValue(value), of: table, entry: entry.text))
    }
  }
}
