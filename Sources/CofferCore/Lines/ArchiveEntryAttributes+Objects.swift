package import CoreDataArchive
package import CoreDataLayout

extension ArchiveEntryAttributes {
  /// Creates the index attributes of a part of a table of objects.
  ///
  /// - Parameters:
  ///   - counts: the number of objects by entity number; numbers without a name are counted
  ///     together, under an empty name.
  ///   - entities: the entities.
  ///   - firstKey: the smallest primary key, or nil.
  ///   - lastKey: the largest primary key, or nil.
  package init(
    objects counts: [Int64: Int], _ entities: NumberedEntities, firstKey: Int64?, lastKey: Int64?
  ) {
    self.init(firstKey: firstKey, lastKey: lastKey)
    var unknown = 0
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      if let name = entities.names[number] {
        objects.append((entity: name, count: count))
      } else {
        unknown += count
      }
    }
    if unknown > 0 { objects.append((entity: "", count: unknown)) }
  }
}
