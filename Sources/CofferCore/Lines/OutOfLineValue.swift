internal import CoreDataArchive

/// A value that has its own entry and is written when that entry is read.
package struct OutOfLineValue: Sendable, Equatable {
  /// The number of the value in its part, which is in the name of its entry.
  package var number: Int
  /// Its parameter: the column's index plus 1.
  package var parameter: Int32
  /// The row, set when it is known.
  package var row: Int64 = 0
  /// The number of bytes.
  package var length: Int
  /// Whether the marker of external storage precedes it.
  package var isMarked: Bool
  /// Whether it is text.
  package var isText: Bool
  /// Whether space for it is already reserved in the store.
  package var isReserved: Bool

  package init(
    number: Int, parameter: Int32, row: Int64 = 0, length: Int, isMarked: Bool, isText: Bool,
    isReserved: Bool
  ) {
    self.number = number
    self.parameter = parameter
    self.row = row
    self.length = length
    self.isMarked = isMarked
    self.isText = isText
    self.isReserved = isReserved
  }

  /// The ending of the entry's name, which begins with the part's folder and number: `value-0`.
  package var name: String { ArchiveEntryName.value(number) }
}
