internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The values in entries of their own that lines of a part refer to, until their entries come.
struct ExpectedValues {
  private var values: [ExactString: (value: OutOfLineValue, table: TableLayout)] = [:]

  /// Expects a value of a row.
  ///
  /// - Returns: the defect where another value is said to be the same entry; that one is forgotten.
  mutating func expect(_ value: OutOfLineValue, of table: TableLayout) -> ArchiveDefect? {
    let entry = "\(table.folder)/\(value.name)"
    guard values.updateValue((value, table), forKey: ExactString(entry)) != nil else { return nil }
    return ArchiveDefect(.sharedValue, of: table, entry: entry)
  }

  /// Stops expecting the value that an entry is, and returns it; nil where no line refers to it.
  mutating func take(_ entry: String) -> (value: OutOfLineValue, table: TableLayout)? {
    values.isEmpty ? nil : values.removeValue(forKey: ExactString(entry))
  }

  /// What is still expected, each as a defect, in the order of the names; nothing is afterwards.
  mutating func takeMissing() -> [ArchiveDefect] {
    guard !values.isEmpty else { return [] }
    defer { values.removeAll() }
    return values.sorted { codeUnitsAscend($0.key, $1.key) }.map { entry, expected in
      ArchiveDefect(.missingValue(expected.value), of: expected.table, entry: entry.text)
    }
  }
}
