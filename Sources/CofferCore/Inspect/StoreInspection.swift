internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore
internal import POSIX

/// Inspects a store.
package struct StoreInspection {
  private let store: PersistentStore
  private let tables: StoreTables

  package init(_ store: PersistentStore) {
    self.store = store
    tables = StoreTables(store)
  }

  /// Counts everything and assembles the inspection.
  package func result() throws -> Inspection {
    try store.use { database in
      try StoreRowSource(store, database, tables).requireOrder()
      var inspection = try result(RowCounter(database))
      let pages = try database.value("PRAGMA freelist_count")?.integer ?? 0
      let size = pages.multipliedReportingOverflow(by: store.settings.pageSize).partialValue
      inspection.freeByteCount = min(max(0, Int(clamping: size)), store.byteCount)
      return inspection
    }
  }

  private func result(_ counter: RowCounter) throws -> Inspection {
    let parts = try count(counter)
    let metadata = store.metadata
    return Inspection(
      kind: .store, path: store.path, storeUUID: metadata.uuid,
      frameworkVersion: metadata.frameworkVersion, frameworkEra: metadata.era?.description,
      wasMigratedInPlace: metadata.wasMigratedInPlace, model: store.model,
      modelProblem: store.modelDefect,
      metadata: InspectionParts.values(of: metadata),
      metadataProblem: metadata.propertyListError?.description,
      settings: InspectionParts.settings(SchemaDocument(store)),
      entities: parts.entityInspections, relationships: parts.pairInspections,
      history: try parts.history { shape in try edges(shape, counter) },
      cloudKit: parts.tables(.cloudKit), externalData: try externalData(counter),
      unknownTables: parts.tables(.unknown), unknownColumns: parts.unknownColumns,
      missingParts: store.layout.missing, byteCount: store.byteCount,
      freeByteCount: nil, logByteCount: logByteCount, archive: nil)
  }

  private var logByteCount: Int {
    let log = StorePaths(store: store.path).companions.first { $0.hasSuffix("-wal") }
    return Int(clamping: log.flatMap { try? FileState.look(at: $0)?.size } ?? 0)
  }

  private func count(_ counter: RowCounter) throws -> InspectionParts {
    var objects: [Name: Int] = [:]
    var rows: [Name: Int] = [:]
    for source in tables.sources {
      let shape = source.shape
      if shape.kind == .entity {
        let column = shape.fields.first { $0.role == .entityNumber }?.storedName
        let counts = try counter.objects(of: shape.storedName, entityColumn: column)
        for (number, count) in counts {
          objects[tables.entities.names[number] ?? "", default: 0] += count
        }
      } else {
        rows[Name(shape.folder)] = try counter.rows(of: shape.storedName)
      }
    }
    return InspectionParts(
      model: store.model, entities: tables.entities, shapes: tables.sources.map(\.shape),
      objectCounts: objects, rowCounts: rows)
  }

  private func edges(_ shape: TableLayout, _ counter: RowCounter) throws -> [Double?] {
    let column = shape.fields.first { $0.storedName.uppercased() == InspectionParts.timestamp }
    guard let column else { return [] }
    return try counter.edges(table: shape.storedName, column: column.storedName).map {
      switch $0 {
      case .integer(let seconds): Double(seconds)
      case .real(let seconds): seconds
      default: nil
      }
    }
  }

  private func externalData(_ counter: RowCounter) throws -> ExternalDataInspection {
    let folder = try SupportFolder(of: StorePaths(store: store.path))
    let present = folder.files.compactMap(\.externalName).names
    var names: Set<Name> = []
    var count = 0
    for source in tables.sources {
      for field in source.shape.fields {
        guard case .attribute(_, _, isExternal: true, _) = field.role else { continue }
        let found = try counter.externalFileNames(
          table: source.shape.storedName, column: field.storedName
        ).compactMap(\.self)
        count += found.count
        names.formUnion(found.names)
      }
    }
    return ExternalDataInspection(
      folder.files, referenceCount: count, missingFileCount: names.subtracting(present).count,
      orphanedFileCount: present.subtracting(names).count)
  }
}
