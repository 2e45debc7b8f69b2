/// A value that has an entry of its own, with the place of that.
struct PlacedValue {
  /// The value.
  var value: OutOfLineValue
  /// The archive with the entry.
  var archive: OpenArchive
  /// The folder and the number of the part.
  var stem: String

  /// The name of the entry.
  var entryName: String { "\(stem).\(value.name)" }
}
