/// A value that is an entry of its own and is written once the entry comes by.
package struct PendingValue: Sendable, Equatable {
  /// The ending of the entry's name, which begins with the part's folder and number: `value-0`.
  package var name: String
  /// The parameter that it belongs to: the column's index and 1.
  package var parameter: Int32
  /// The row; set once it is known.
  package var row: Int64 = 0
  /// How many bytes it has.
  package var length: Int
  /// Whether the marker of external storage comes before it.
  package var isMarked: Bool
  /// Whether it is a text.
  package var isText: Bool
  /// Whether its place in the store is as large as it is going to be.
  package var isReserved: Bool
}
