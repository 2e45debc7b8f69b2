internal import CofferCore
internal import CofferTables
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import POSIX

/// Searches the pages of a damaged store for objects that a rescued store lacks, and writes them to
/// separate files.
struct RowRecovery {
  let store: PersistentStore
  let rescued: String
  let options: RescueOptions
  let progress: any ProgressReporter

  /// Searches and writes; returns the found objects, sorted by the name of the entity.
  func run(copyingTo pages: String, _ folder: String) throws -> [RecoveredObjects] {
    progress.report(WorkProgress(.salvaging))
    try store.copyPages(to: pages)
    defer { FileTree.remove(pages) }
    let copy = try SalvageCopy(place: store.path)
    return try copy.use { database in
      let layouts = store.rowLayouts
      let tables = objectTables
      let rows = try RecoveredRows(
        layouts, beside: tables.sources.compactMap { store.catalog.table($0.shape.storedName) },
        in: database)
      try search(pages, layouts, rows)
      let counts = try rows.counts()
      return counts.isEmpty ? [] : try write(counts, of: tables, from: database, to: folder)
    }
  }

  /// The tables of objects, without join tables: a page does not show which relationship its
  /// pairs belong to.
  private var objectTables: StoreTables {
    var tables = StoreTables(store, blobLimit: .max)
    for shape in tables.sources.map(\.shape) where shape.kind != .entity {
      _ = tables.remove(shape.storedName)
    }
    return tables
  }

  private func search(_ path: String, _ layouts: [RowLayout], _ rows: RecoveredRows) throws {
    let rescued = try PersistentStore.opened(rescued, .inPlace)
    defer { rescued.close() }
    try rescued.use { database in
      var lookups: [Name: KeyLookup] = [:]
      for layout in layouts {
        lookups[Name(layout.table.name)] = try? KeyLookup(layout.table.name, in: database)
      }
      _ = try DatabasePages.reading(path) { pages in
        let foreign = try pages.leaves(of: otherTables(than: layouts))
        try PageScan(pages, layouts, foreign: foreign).run { layout, key in
          // A table that the new store lacks was lost as a whole.
          guard let lookup = lookups[Name(layout.table.name)] else { return true }
          return try !lookup.contains(key)
        } found: {
          try rows.take($0)
        }
      }
    }
  }

  /// The first pages and the numbers of columns of the tables without objects; none if the schema cannot
  /// be read.
  private func otherTables(than layouts: [RowLayout]) -> [(root: Int, note: Int)] {
    let names = Set(layouts.map { Name($0.table.name) })
    let rows = try? store.use {
      try $0.rows(
        "SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0")
    }
    return (rows ?? []).compactMap { row in
      guard let name = row[0].string, !names.contains(Name(name)), let root = row[1].integer,
        let table = store.catalog.table(name)
      else { return nil }
      return (Int(clamping: root), table.columns.count)
    }
  }

  private func write(
    _ counts: [RecoveredRows.Count], of tables: StoreTables, from database: SQLiteDatabase,
    to folder: String
  ) throws -> [RecoveredObjects] {
    let names = tables.entities.names
    var exporting = DataExportOptions(format: .ndjson, overwriting: options.overwriting)
    exporting.entityNames = counts.compactMap { names[$0.entityNumber] }
    let written = try DataExporter(options: exporting, progress: progress)
      .write(StoreRowSource(store, database, tables), to: folder)
    return counts.compactMap { count in
      guard let name = names[count.entityNumber],
        let file = written.parts.first(where: {
          $0.entityName == name && $0.relationshipName == nil
        })
      else { return nil }
      return RecoveredObjects(
        entityName: name, fileName: file.fileName, count: count.rows, freeCount: count.free,
        incompleteCount: count.incomplete)
    }.sorted { $0.entityName < $1.entityName }
  }
}
