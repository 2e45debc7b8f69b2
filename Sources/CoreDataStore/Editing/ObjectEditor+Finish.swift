internal import CoreDataLayout
package import CoreDataModel

extension ObjectEditor {
  /// The author of the history's transactions of this program.
  package static let author = "coffer"

  /// Completes all changes: positions, values that Core Data computes, versions, counters, and a
  /// transaction of the persistent history where the store has one.
  ///
  /// - Parameter time: the time of the transaction, in seconds since 2001.
  /// - Throws: ``CofferError``: `refused` if the store has a history of an unknown form; otherwise mapped from
  ///   SQLite's result code.
  package func finish(at time: Double) throws(CofferError) {
    try appendUnordered()
    try keepReferencedFiles()
    guard try statements.row("SELECT 1 FROM \(Self.touched) LIMIT 1") != nil else { return }
    try computeDerivedValues()
    try updateSpatialIndexes()
    for table in schema.tables.indices { try raiseVersions(in: table) }
    for (table, highest) in highestKeys.sorted(by: { $0.key < $1.key }) {
      try statements.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ?2 WHERE Z_ENT = ?1", .integer(rootNumber(of: table)),
        .integer(highest))
    }
    try HistoryRecording(self)?.record(at: time)
  }

  /// Computes all values that depend on other values, for all objects of a fresh store.
  ///
  /// These are values that Core Data computes, and the entries of spatial indexes. Versions stay, and the
  /// history gets no transaction.
  ///
  /// - Parameter keepsDerivedValues: whether the values that Core Data computes stay unchanged.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func computeAll(keepsDerivedValues: Bool) throws(CofferError) {
    for table in schema.tables.indices {
      try statements.run(
        "INSERT OR IGNORE INTO \(Self.touched) SELECT \(table), Z_PK, \(Self.inserted) FROM "
          + name(table))
    }
    if !keepsDerivedValues { try computeDerivedValues() }
    try updateSpatialIndexes()
  }

  private func raiseVersions(in table: Int) throws(CofferError) {
    try statements.run(
      "UPDATE \(name(table)) SET Z_OPT = ifnull(Z_OPT, 0) + 1 WHERE Z_PK IN ("
        + "SELECT k FROM \(Self.touched) WHERE t = ? GROUP BY k HAVING min(p) >= 0)",
      .integer(Int64(table)))
  }

  /// The column of an attribute, or of an element of it, of an entity in its table.
  func column(of path: [Name], _ entity: Name, in table: Int) -> Int? {
    let declarers = Set(schema.model.lineage(of: entity).map(\.name))
    return schema.tables[table].columns.firstIndex {
      guard case .attribute(let own, _, _, let declarer) = $0.role else { return false }
      return own == path
        && declarers.contains(declarer)
    }
  }
}
