/// The properties of an entry in the index besides its name, place and digest.
package struct ArchiveEntryAttributes: Sendable, Equatable {
  /// The number of managed objects of each entity in the entry, in the order in which they are
  /// written.
  package var objects: [(entity: String, count: Int)]
  /// The count of rows of an entry that holds no managed objects, or nil.
  package var rows: Int?
  /// The smallest primary key in the entry, or nil.
  package var firstKey: Int64?
  /// The largest primary key in the entry, or nil.
  package var lastKey: Int64?

  /// Creates attributes; without arguments the index says nothing more.
  package init(
    objects: [(entity: String, count: Int)] = [], rows: Int? = nil, firstKey: Int64? = nil,
    lastKey: Int64? = nil
  ) {
    self.objects = objects
    self.rows = rows
    self.firstKey = firstKey
    self.lastKey = lastKey
  }

  /// Whether two entries' attributes are the same, the order of the entities included.
  package static func == (left: Self, right: Self) -> Bool {
    left.rows == right.rows && left.firstKey == right.firstKey && left.lastKey == right.lastKey
      && left.objects.elementsEqual(right.objects, by: ==)
  }
}
