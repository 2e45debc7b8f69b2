public import CoreDataModel
public import CoreDataStore
internal import POSIX

extension StoreSnapshot {
  /// Opens a damaged store, without its log if it is sound only without it.
  ///
  /// If the list of tables cannot be read, it is mended, see ``SchemaMending``.
  static func salvaging(
    _ path: String, model: ManagedObjectModel?
  ) throws(CofferError) -> StoreSnapshot {
    let result: Result<StoreSnapshot, CofferError>
    do throws(CofferError) {
      let snapshot = try withLogOrWithout(path)
      guard try !snapshot.hasWholeSchema() else { return snapshot }
      result = .success(snapshot)
    } catch {
      guard error.code == .damagedStore else { throw error }
      result = .failure(error)
    }
    if let mended = try mended(path, model) { return mended }
    return try result.get()
  }

  /// Whether the whole list of tables can be read.
  private func hasWholeSchema() throws(CofferError) -> Bool {
    try use { database throws(CofferError) in
      try database.rowsUntilDamage("SELECT * FROM sqlite_master").isWhole
    }
  }

  /// A private copy with a readable list of tables; nil if the list cannot be mended, or need not be.
  private static func mended(
    _ path: String, _ model: ManagedObjectModel?
  ) throws(CofferError) -> StoreSnapshot? {
    do {
      var options = salvageOptions
      let folder = try SnapshotOpener(files: DatabaseFiles(of: path), options: options).takeCopy()
      let copy = folder.store.main
      let file = try PageFile(copy, place: path)
      let header = try DatabaseHeader(file.read(at: 0, count: DatabaseHeader.length), place: path)
      guard let pageSize = header.pageSize else { return nil }
      FileNames.extend(copy, to: header.byteCount ?? 0)
      try file.apply(logAt: folder.store.wal, pageSize: pageSize)
      for name in [folder.store.wal, folder.store.journal] { FileNames.remove(name) }
      guard try SchemaMending(copy, place: path, model: model).run() else { return nil }
      (options.content, options.contentFolder) = (copy, folder)
      return try StoreSnapshot(of: path, options: options)
    } catch let error as CofferError
      where [.damagedStore, .notCoreData].contains(error.code) || error.isDamage
    {
      return nil
    } catch let error as CofferError {
      throw error
    } catch {
      // If the work is interrupted, the list stays unmended.
      return nil
    }
  }

  private static func withLogOrWithout(_ path: String) throws(CofferError) -> StoreSnapshot {
    var options = salvageOptions
    let files = try DatabaseFiles(of: path)
    guard try files.state().wal?.size ?? 0 > 0 else {
      return try StoreSnapshot(of: path, options: options)
    }
    let whole = attempt(path, options)
    switch whole {
    case .success(let snapshot):
      if snapshot.isSound, !snapshot.namesAnotherStore(files) { return snapshot }
    case .failure(let error):
      // The log of another store can hide that this file is a Core Data store.
      guard [.damagedStore, .notCoreData, .notSQLite].contains(error.code) else { throw error }
    }
    options.leavesLog = true
    if case .success(let alone) = attempt(path, options), alone.isSound { return alone }
    return try whole.get()
  }
}

extension PersistentStore {
  /// Opens a damaged store to read its intact parts.
  ///
  /// A private copy is read, and the store is not touched. Metadata, entity numbers and a model that
  /// cannot be read are empty, follow from the rule, or are inferred from the tables. A sound
  /// store is read as always. If the store is sound only without its `-wal`, the `-wal` does not belong to it
  /// and is left out.
  ///
  /// - Parameters:
  ///   - path: the store's main file.
  ///   - model: the model, to find tables that a damaged schema has lost, if the store has lost its
  ///     own model too.
  /// - Throws: as ``init(readingFrom:access:)``; `damaged-store` only if SQLite cannot even read
  ///   the database's schema, and nothing shows what the pages contain.
  public convenience init(
    salvaging path: String, model: ManagedObjectModel? = nil
  ) throws(CofferError) {
    do {
      try self.init(StoreSnapshot.salvaging(path, model: model), isTolerant: true)
    } catch {
      guard error.code == .damagedStore else { throw error }
      throw CofferError(
        .damagedStore, path: error.place.path,
        detail: "its schema cannot be read, so the content of its pages is unknown: "
          + error.detail,
        advice: model == nil
          ? "Give the app's model, which helps to find tables, or restore an older backup."
          : "Restore an older backup.",
        evidence: error.evidence)
    }
  }

  /// The table of the objects of each entity.
  ///
  /// - Returns: the tables in the layout, if the numbers of entities are the store's own, or if most tables have
  ///   objects with the numbers that the model gives by rule; otherwise the tables by their rows, in a time
  ///   linear in the number of rows.
  /// - Throws: ``CofferError`` for anything but damage.
  package func entityOwners(in database: SQLiteDatabase) throws(CofferError) -> EntityOwners {
    var vote = EntityVote()
    let isForeign = registry.isForeign(to: model)
    if isForeign { for layout in rowLayouts { try vote.add(layout, in: database) } }
    guard !isForeign || vote.isWon else {
      // Without a model, the layout does not know the tables of objects either.
      let tables = catalog.tables.filter {
        $0.rowIDAlias == StoredName.primaryKey && $0.column(StoredName.entityNumber) != nil
      }
      return try EntityOwners(inferredFrom: tables, in: database)
    }
    var tables: [Int64: String] = [:]
    for table in layout.entityTables {
      for number in entityNumbers(inTable: table.tableName) { tables[number] = table.tableName }
    }
    return EntityOwners(tables)
  }

  /// Describes a table for a salvage; returns the table, or nil if the store has no such table.
  package func salvagedTable(_ name: String, _ owners: EntityOwners) -> SalvagedTable? {
    guard let schema = catalog.table(name) else { return nil }
    let numbers =
      owners.areInferred
      ? Array(owners.numbers(of: schema.name)) : entityNumbers(inTable: schema.name)
    guard schema.column(StoredName.entityNumber) != nil,
      schema.column(StoredName.primaryKey) != nil
    else { return SalvagedTable(schema) }
    let greatest = numbers.compactMap { registry.row($0)?.maximumPrimaryKey.integer }.max()
    return SalvagedTable(
      schema, entityColumn: StoredName.entityNumber, entityNumbers: Set(numbers),
      maxKey: greatest.flatMap { $0 > 0 ? $0 : nil }, owners: owners)
  }

  /// The layouts of rows of the tables of objects, in the order of the layout.
  ///
  /// If the store's numbers of entities are lost, the objects have the numbers that the model gives.
  package var rowLayouts: [RowLayout] {
    layout.entityTables.compactMap { table in
      catalog.table(table.tableName).flatMap {
        RowLayout(
          $0, entityNumbers: Set(table.entityNames.compactMap { layout.numbering.numbers[$0] }))
      }
    }
  }

  /// Copies the pages of the database, replaced by newer ones from the write-ahead log.
  ///
  /// - Parameter path: the path of the new file, which must not exist.
  /// - Throws: ``CofferError`` mapped from SQLite's result code; `CancellationError`.
  package func copyPages(to path: String) throws {
    let connection = try SQLiteConnection(path: path, access: .writing, place: self.path)
    defer { try? connection.close() }
    try use { try $0.copyPages(to: connection) }
  }

  /// The numbers of the entities with objects in a table; empty for other tables.
  private func entityNumbers(inTable name: String) -> [Int64] {
    if let table = layout.entityTables.first(where: { $0.tableName.hasSameBytes(as: name) }) {
      return table.entityNames.compactMap { layout.numbering.numbers[$0] }
    }
    return registry.systemRows.filter {
      SchemaName(StoredName.systemTable(ofEntity: $0.name)) == SchemaName(name)
    }.map(\.number)
  }
}

/// Whether the objects of a damaged store are of the entities that its tables are supposed to hold.
///
/// If the store's numbers of entities are lost, they should follow from the model. Each table has one vote:
/// whether most of its rows have numbers of its entities. If a page of another table replaced the only page
/// of a table, that table votes wrongly, but the others outvote it.
struct EntityVote {
  private var won = 0
  private var lost = 0

  /// Whether more tables have such rows than other rows; false if no row can be read.
  var isWon: Bool { won > lost }

  /// Lets a table vote.
  ///
  /// Rows are read from both ends until a row cannot be read.
  mutating func add(_ layout: RowLayout, in database: SQLiteDatabase) throws(CofferError) {
    guard let key = layout.table.rowIDAlias.map(quotedIdentifier) else { return }
    let all =
      "SELECT \(StoredName.entityNumber) FROM \(quotedIdentifier(layout.table.name)) NOT INDEXED "
      + "ORDER BY \(key)"
    var rows = Rows(numbers: layout.entityNumbers)
    if try !rows.read(all, in: database) { _ = try rows.read(all + " DESC", in: database) }
    if rows.fitting * 2 > rows.count { won += 1 }
    if rows.fitting * 2 < rows.count { lost += 1 }
  }

  private struct Rows {
    let numbers: Set<Int64>
    var count = 0
    var fitting = 0

    /// The maximum number of rows to read from one end: more rows would not make the result more certain, and damage can make
    /// pages form a cycle.
    private static let limit = 1 << 16

    /// Counts the rows of a statement; returns whether all of them were readable.
    mutating func read(_ sql: String, in database: SQLiteDatabase) throws(CofferError) -> Bool {
      do {
        let statement = try database.prepare("\(sql) LIMIT \(Self.limit)")
        while try statement.step() {
          count += 1
          if statement.storageClass(0) == .integer, numbers.contains(statement.int64(0)) {
            fitting += 1
          }
        }
        return true
      } catch {
        guard error.isDamage || error.code == .sqliteError else { throw error }
        return false
      }
    }
  }
}
