internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

extension StateFile {
  /// The entities that lost most of their objects since an earlier state, by the rule of a comparison with an
  /// older state.
  ///
  /// Across a migration, which may renumber objects, only counts can be compared.
  func wipes(
    since earlier: StateFile, _ documents: ChangesDescription
  ) throws -> [Finding] {
    let hasSameKeys =
      earlier.description.structure == description.structure
      && earlier.description.isComparable && description.isComparable
    return try documents.layout.tables.compactMap { shape in
      guard shape.kind == .entity, let name = shape.entityName else { return nil }
      let before = earlier.description.rowCount(of: shape.storedName)
      let after = description.rowCount(of: shape.storedName)
      // Most nights nothing comes near: then the keys of both states are not read.
      guard Finding.canBeWipe(from: before, to: after) else { return nil }
      let gone =
        hasSameKeys
        ? try goneCount(since: earlier, shape, documents) : max(0, before - after)
      return .silentWipe(of: name, gone: gone, from: before, new: max(0, after - (before - gone)))
    }
  }

  /// The number of removed rows of an earlier state.
  private func goneCount(
    since earlier: StateFile, _ shape: TableLayout, _ documents: ChangesDescription
  ) throws -> Int {
    let keyCount = KeyRule(shape, schema: documents.schema).columns.count
    var count = 0
    try StateDifference.run(
      earlier.rows(of: shape.storedName, keyCount: keyCount),
      rows(of: shape.storedName, keyCount: keyCount)
    ) { change, _ in
      if change == .removed { count += 1 }
    }
    return count
  }
}

extension StateDescription {
  fileprivate func rowCount(of table: String) -> Int {
    tables.first { $0.name == Name(table) }?.rowCount ?? 0
  }
}
