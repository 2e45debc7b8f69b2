internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The values in their own entries that lines of a part refer to, until these entries are read.
struct ExpectedValues {
  private var values: [ExactString: (value: OutOfLineValue, table: TableLayout)] = [:]

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
    guard values.updateValue((value, table), forKey: ExactString(entry)) != nil else { return nil }
    return ArchiveDefect(.sharedValue, of: table, entry: entry)
  }

  /// Removes and returns the expected value of an entry; nil if no line refers to it.
  mutating func take(_ entry: String) -> (value: OutOfLineValue, table: TableLayout)? {
    values.isEmpty ? nil : values.removeValue(forKey: ExactString(entry))
  }

  /// Removes all expected values and returns them as defects, sorted by name.
  mutating func takeMissing() -> [ArchiveDefect] {
    guard !values.isEmpty else { return [] }
    defer { values.removeAll() }
    return values.sorted { codeUnitsAscend($0.key, $1.key) }.map { entry, expected in
      ArchiveDefect(.missingValue(expected.value), of: expected.table, entry: entry.text)
    }
  }
}
