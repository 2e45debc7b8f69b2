/// One thing in which two stores are not the same.
public enum Difference: Sendable, Hashable {
  /// Something of the store itself.
  case store(StoreDifference)
  /// An object.
  case object(ObjectDifference)
  /// A pair of a many-to-many relationship.
  case pair(PairDifference)
  /// A row of a table beside the objects, such as persistent history; counted, not shown.
  case rows(RowDifferences)
  /// A file of external binary data.
  case externalData(FileDifference)
}
