/// What a change in the persistent history did to its object, by Core Data's number.
package enum RecordedChange: Int64 {
  /// The object was inserted.
  case insertion = 0
  /// The object was updated.
  case update = 1
  /// The object was deleted.
  case deletion = 2
}
