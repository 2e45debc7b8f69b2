internal import CoreDataArchive
internal import CoreDataLayout

/// The values in their own entries that lines of a part refer to, until these entries are read.
///
/// A small archive can refer to millions of values, so each takes a few bytes, without a name in memory.
struct ExpectedValues {
  /// The values of the part, in the order of its lines.
  private var values: ContiguousArray<OutOfLineValue> = []
  private var areRead: ContiguousArray<Bool> = []
  /// The positions of the values by their numbers; nil as long as the numbers ascend.
  private var positions: [Int: Int]?
  /// The folder and the number of the part.
  private var stem = ""
  private var table: TableLayout?

  /// Adds an expected value of a row.
  ///
  /// All values have the same part.
  ///
  /// - Returns: the defect where another value is said to be the same entry; that one is forgotten.
  mutating func expect(
    _ value: OutOfLineValue, of table: TableLayout, in part: PartEntryName
  ) -> ArchiveDefect? {
    if values.isEmpty {
      stem = part.stem
      self.table = table
    }
    if positions == nil, let last = values.last, value.number <= last.number {
      positions = Dictionary(uniqueKeysWithValues: values.indices.map { (values[$0].number, $0) })
    }
    if let position = positions?[value.number] {
      values[position] = value
      return ArchiveDefect(.sharedValue(value), of: table, place: stem)
    }
    positions?[value.number] = values.count
    values.append(value)
    areRead.append(false)
    return nil
  }

  /// Returns the expected value of an entry, and removes it; nil if no line refers to
  /// the entry.
  mutating func take(_ entry: PartEntryName) -> (value: OutOfLineValue, table: TableLayout)? {
    guard let table, entry.stem.hasSameBytes(as: stem),
      let number = ArchiveEntryName.valueNumber(entry.ending),
      let position = position(of: number), !areRead[position]
    else { return nil }
    areRead[position] = true
    return (values[position], table)
  }

  private func position(of number: Int) -> Int? {
    if let positions { return positions[number] }
    var range = values.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if values[middle].number == number { return middle }
      range =
        values[middle].number < number
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Passes all values that are still expected on as defects, in the order of their lines.
  func forEachMissing(_ body: (ArchiveDefect) throws -> Void) rethrows {
    guard let table else { return }
    for position in values.indices where !areRead[position] {
      try body(ArchiveDefect(.missingValue(values[position]), of: table, place: stem))
    }
  }
}
