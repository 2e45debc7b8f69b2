internal import CoreDataArchive
internal import CoreDataLayout

/// The values in entries of their own that lines of a part refer to, until their entries come.
struct ExpectedValues {
  private var values: [String: (value: PendingValue, table: TableLayout)] = [:]

  /// Expects a value of a row.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - table: the table of the row.
  ///   - part: the part of the row: its folder and number.
  /// - Returns: the defect where another value is said to be the same entry; that one is forgotten.
  mutating func expect(
    _ value: PendingValue, of table: TableLayout, in part: String
  ) -> ArchiveDefect? {
    let entry = "\(part).\(value.name)"
    guard values.updateValue((value, table), forKey: entry) != nil else { return nil }
    return ArchiveDefect(.sharedValue, of: table, entry: entry)
  }

  /// Stops expecting the value that an entry is, and returns it; nil where no line refers to it.
  mutating func take(_ entry: String) -> (value: PendingValue, table: TableLayout)? {
    values.isEmpty ? nil : values.removeValue(forKey: entry)
  }

  /// What is still expected, each as a defect, in the order of the names; nothing is afterwards.
  mutating func takeMissing() -> [ArchiveDefect] {
    guard !values.isEmpty else { return [] }
    defer { values.removeAll() }
    return values.sorted { $0.key < $1.key }.map { entry, expected in
      ArchiveDefect(.missingValue(expected.value), of: expected.table, entry: entry)
    }
  }
}
