internal import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel
package import CoreDataStore

/// The tables of a store in the order of an archive, with the meaning of their columns.
///
/// System tables come first, then objects in dependency order, then pairs of many-to-many
/// relationships, then everything that the model does not explain. All tables and columns are
/// included except virtual tables, which have no content of their own, and generated columns.
package struct StoreTables {
  /// The tables.
  package private(set) var sources: [TableSource] = []
  /// The entities.
  package let entities: NumberedEntities

  private let catalog: SchemaCatalog
  private let blobLimit: Int
  private let mayHaveLargeValues: Bool

  /// Creates a source for a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - blobLimit: the maximum size of a blob to read with its row, in bytes.
  package init(_ store: PersistentStore, blobLimit: Int = LineLimits.ownEntry) {
    catalog = store.catalog
    self.blobLimit = blobLimit
    mayHaveLargeValues = store.byteCount > blobLimit
    entities = Self.entities(of: store)
    let layout = store.layout
    var core: [TableSource] = []
    var others: [TableSource] = []
    for table in layout.otherTables {
      guard let schema = catalog.table(table.name) else { continue }
      if case .virtual = table.form { continue }
      let isCore = [.metadata, .primaryKeys, .modelCache].contains(table.kind)
      let folder = (isCore ? "store/" : "system/") + Self.component(of: table.name)
      let source = plainTable(schema, kind: table.kind, folder: folder)
      if isCore { core.append(source) } else { others.append(source) }
    }
    sources = core.sorted { codeUnitsAscend($0.shape.storedName, $1.shape.storedName) }
    for table in layout.entityTablesInDependencyOrder { sources += entityTable(table) }
    for table in layout.joinTables { sources += joinTable(table) }
    // SQLite's own tables come last, because inserting into others may change sqlite_sequence.
    let ordered = others.sorted { codeUnitsAscend($0.shape.storedName, $1.shape.storedName) }
    sources += ordered.filter { !$0.shape.isInternal } + ordered.filter(\.shape.isInternal)
    nameFoldersApart()
  }

  /// The folder of a table; a digest for a name that is too long for the names of entries.
  private static func component(of name: String) -> String {
    let component = ArchiveEntryName.component(name)
    return component.utf8.count < 900 ? component : ContentHasher.digest(of: name)
  }

  /// The table with the name of another source's table; nil if there is none.
  package func source(of shape: TableLayout) -> TableSource? {
    sources.first { $0.shape.storedName.hasSameBytes(as: shape.storedName) }
  }

  /// Renames the folder of a table whose name differs from an earlier one only in Unicode
  /// composition.
  ///
  /// These are two names to SQLite but one to many file systems.
  private mutating func nameFoldersApart() {
    var taken: Set<String> = []
    for index in sources.indices {
      let name = sources[index].shape.folder
      var number = 2
      while !taken.insert(sources[index].shape.folder).inserted {
        sources[index].shape.folder = "\(name)-\(number)"
        number += 1
      }
    }
  }

  /// Leaves a table out; returns its shape, or nil if it has none.
  package mutating func remove(_ table: String) -> TableLayout? {
    let name = SchemaName(table)
    let removed = sources.first { SchemaName($0.shape.storedName) == name }
    sources.removeAll { SchemaName($0.shape.storedName) == name }
    return removed?.shape
  }

  /// Leaves out tables with the name of an earlier one: a damaged schema can list a table twice.
  mutating func keepFirstOfEachName() {
    var names: Set<SchemaName> = []
    sources.removeAll { !names.insert(SchemaName($0.shape.storedName)).inserted }
  }

  private static func entities(of store: PersistentStore) -> NumberedEntities {
    var found: [NumberedEntities.Entity] = []
    for (name, number) in store.layout.numbering.numbers {
      found.append(
        .init(name: name, number: number, superentityName: store.model[name]?.superentityName)
      )
    }
    return NumberedEntities(found.sorted { $0.name < $1.name })
  }

  private func entityTable(_ table: EntityTable) -> [TableSource] {
    guard let schema = catalog.table(table.tableName) else { return [] }
    let shape = TableLayout(
      folder: "entities/" + ArchiveEntryName.component(table.rootEntityName.text),
      storedName: table.tableName, kind: .entity, entityName: table.rootEntityName,
      fields: table.columns)
    let key = table.columns.firstIndex { $0.role == .primaryKey }
    return [source(shape, schema, key.map(RowPlan.Key.integerColumn) ?? .hiddenRowNumber)]
  }

  private func joinTable(_ table: JoinTable) -> [TableSource] {
    guard let schema = catalog.table(table.tableName) else { return [] }
    let roles: [(String?, FieldRole)] = [
      (table.sourceColumn, .source), (table.destinationColumn, .destination),
      (table.orderColumn, .destinationOrder), (table.inverseOrderColumn, .sourceOrder),
    ]
    let fields = schema.columns.filter { !$0.isGenerated && !$0.isHidden }.map { column in
      FieldLayout(
        storedName: column.name,
        role: roles.first { $0.0.map(SchemaName.init) == SchemaName(column.name) }?.1 ?? .plain)
    }
    let name =
      ArchiveEntryName.component(table.source.entity.text) + "."
      + ArchiveEntryName.component(table.source.property.text)
    var shape = TableLayout(
      folder: "relationships/" + name, storedName: table.tableName, kind: .relationship,
      entityName: table.source.entity, relationshipName: table.source.property, fields: fields)
    // Pairs in the order of their keys, which stays the same after VACUUM.
    let key = Self.primaryKey(of: schema, fields)
    if key.isEmpty { shape.hasRowNumbers = true }
    return [source(shape, schema, key.isEmpty ? .hiddenRowNumber : .columns(key))]
  }

  private func plainTable(
    _ schema: SchemaTable, kind: TableLayout.Kind, folder: String
  ) -> TableSource {
    let fields = schema.columns.filter { !$0.isGenerated && !$0.isHidden }
      .map { FieldLayout(storedName: $0.name, role: .plain) }
    var shape = TableLayout(folder: folder, storedName: schema.name, kind: kind, fields: fields)
    guard schema.canNameRows else {
      return source(shape, schema, .columns(Self.primaryKey(of: schema, fields)))
    }
    if let alias = schema.rowIDAlias,
      let index = Self.index(of: alias, fields)
    {
      return source(shape, schema, .integerColumn(index))
    }
    shape.hasRowNumbers = true
    return source(shape, schema, .hiddenRowNumber)
  }

  /// The column indexes of a table's primary key, in order; empty if it has none.
  static func primaryKey(of schema: SchemaTable, _ fields: [FieldLayout]) -> [Int] {
    schema.columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
      .compactMap { index(of: $0.name, fields) }
  }

  private static func index(of column: String, _ fields: [FieldLayout]) -> Int? {
    let name = SchemaName(column)
    return fields.firstIndex { SchemaName($0.storedName) == name }
  }

  private func source(
    _ shape: TableLayout, _ schema: SchemaTable, _ key: RowPlan.Key
  ) -> TableSource {
    let isCore = [.metadata, .modelCache].contains(shape.kind)
    let columns = shape.fields.map { field in
      let type = schema.column(field.storedName)?.declaredType.uppercased() ?? ""
      let mayBeLarge = type.isEmpty || type.contains("BLOB")
      return (name: field.storedName, mayBeLarge: mayBeLarge && mayHaveLargeValues && !isCore)
    }
    return TableSource(
      shape: shape,
      plan: RowPlan(table: shape.storedName, columns: columns, key: key, blobLimit: blobLimit))
  }
}

/// A table to export: how to write it and how to read it.
package struct TableSource {
  /// The layout of its lines.
  package var shape: TableLayout
  /// The plan for reading its rows.
  package var plan: RowPlan
  /// The columns whose integers are in the records of its rows, the number of columns standing for the
  /// row number; nil if no records are made.
  var recordedColumns: [Int]?

  package init(shape: TableLayout, plan: RowPlan, recordedColumns: [Int]? = nil) {
    self.shape = shape
    self.plan = plan
    self.recordedColumns = recordedColumns
  }
}
