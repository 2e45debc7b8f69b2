/// A value that has an entry of its own, with the place of that.
package struct PlacedValue {
  /// The value.
  package var value: OutOfLineValue
  /// The archive with the entry.
  package var archive: OpenArchive
  /// The folder and the number of the part.
  package var stem: String

  package init(value: OutOfLineValue, archive: OpenArchive, stem: String) {
    self.value = value
    self.archive = archive
    self.stem = stem
  }

  /// The name of the entry.
  package var entryName: String { "\(stem).\(value.name)" }
}
