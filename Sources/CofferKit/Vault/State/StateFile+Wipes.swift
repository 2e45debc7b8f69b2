internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

extension StateFile {
  /// The entities that lost most of their objects since an earlier state, by the rule of a comparison with an
  /// older state.
  ///
  /// - Parameters:
  ///   - earlier: the earlier state.
  ///   - documents: what this state is one of.
  /// - Returns: a finding for each of them.
  /// - Throws: ``CofferError`` with `temporary-storage-failed` if a file cannot be read.
  func wipes(
    since earlier: StateFile, _ documents: ChangesDescription
  ) throws -> [Finding] {
    let moved = try movedCounters(since: earlier, documents)
    return documents.layout.tables.compactMap { shape in
      guard shape.kind == .entity, let name = shape.entityName,
        let number = documents.layout.entities.numbers[name], !moved.contains(number)
      else { return nil }
      return .silentWipe(
        of: name, from: earlier.description.rowCount(of: shape.storedName),
        to: description.rowCount(of: shape.storedName))
    }
  }

  /// The numbers of the entities whose primary key counters changed; none across a migration, which may
  /// number entities anew.
  private func movedCounters(
    since earlier: StateFile, _ documents: ChangesDescription
  ) throws -> Set<Int64> {
    guard earlier.description.structure == description.structure, description.isComparable,
      let shape = documents.layout.tables.first(where: { $0.kind == .primaryKeys })
    else { return [] }
    let keyCount = KeyRule(shape, schema: documents.schema).columns.count
    guard keyCount == 1 else { return [] }
    var moved: Set<Int64> = []
    try StateDifference.run(
      earlier.rows(of: shape.storedName, keyCount: keyCount),
      rows(of: shape.storedName, keyCount: keyCount)
    ) { _, integers in
      if let number = integers.first { moved.insert(number) }
    }
    return moved
  }
}

extension StateDescription {
  /// The number of rows of a table.
  fileprivate func rowCount(of table: String) -> Int {
    tables.first { $0.name.text.hasSameBytes(as: table) }?.rowCount ?? 0
  }
}
