internal import CoreDataModel
internal import CoreDataStore

/// Inserts the objects of a table, whose records may name their entity.
struct SheetEntities {
  private let entity: Name
  private let context: SheetContext
  private let file: SheetFile
  private var entityColumn: Int?
  private var columnCount = 0
  private var loaders: [Name: SheetObjects] = [:]
  private var single: SheetObjects?

  init(_ entity: Name, _ context: SheetContext, _ file: SheetFile) {
    self.entity = entity
    self.context = context
    self.file = file
  }

  mutating func insert(_ reader: some SheetReader, at place: () -> SheetPlace) throws {
    if columnCount < reader.columns.count { findEntityColumn(reader.columns) }
    if let single, entityColumn == nil {
      return _ = try single.insert(reader, entityColumn: nil, at: place)
    }
    guard let entityColumn else {
      let loader = try SheetObjects(entity, context, at: SheetPlace(path: file.place))
      single = loader
      return _ = try loader.insert(reader, entityColumn: nil, at: place)
    }
    let value = reader.record.fields.first { $0.column == entityColumn }?.value
    guard case .text(let range)? = value else {
      return try insert(reader, as: entity, place)
    }
    try insert(reader, as: Name(reader.buffer.string(range)), place)
  }

  /// Requires that the columns of a table without records are of the entity: otherwise, its records may have been
  /// taken for something else.
  ///
  /// If records name their entities, the columns can be of any of them.
  mutating func requireKnownColumns(
    _ reader: some SheetReader, at place: SheetPlace
  ) throws(CofferError) {
    findEntityColumn(reader.columns)
    guard entityColumn == nil, context.model[entity]?.isAbstract == false else { return }
    try SheetObjects(entity, context, at: place).requireKnown(
      reader.columns, at: reader.header(place))
  }

  private mutating func insert(
    _ reader: some SheetReader, as name: Name, _ place: () -> SheetPlace
  ) throws {
    var loader = loaders[name]
    if loader == nil {
      var found = place()
      guard context.model[name] != nil, context.model.isEntity(name, kindOf: entity) else {
        found.column = entityColumn.map { reader.columns[$0] }
        throw found.error("it is not a subentity of \(entity)")
      }
      loader = try SheetObjects(name, context, at: found)
      loaders[name] = loader
    }
    _ = try loader?.insert(reader, entityColumn: entityColumn, at: place)
  }

  /// Finds the column with the names of entities: `entity`, or where a property has that name, the one that
  /// `DatabaseTable` chooses for it.
  private mutating func findEntityColumn(_ names: [String]) {
    columnCount = names.count
    let model = context.model
    let properties = (model.lineage(of: entity) + model.tree(of: entity)).flatMap { entity in
      entity.attributes.map(\.name.text) + entity.relationships.map(\.name.text)
    }
    var unique = UniqueNames(.files, taken: properties)
    let candidates = ["entity", unique.take("entity")].filter { !properties.contains($0) }
    entityColumn = names.firstIndex { name in candidates.contains { name.hasSameBytes(as: $0) } }
  }
}
