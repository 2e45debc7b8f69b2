internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// Adds the tables, columns and numbers of entities that a store's model asks for and that it lacks, as
/// Core Data makes them.
///
/// It works on the private copy of a ``StoreEditor``, within its transaction, before an ``ObjectEditor``
/// does, because its additions change the meaning of tables and columns. Objects get no new version, and the
/// history does not record it, as after a migration.
package final class StructureEditor {
  /// The copied store, with all additions.
  package private(set) var store: PersistentStore
  let database: SQLiteDatabase

  /// Begins without additions.
  package init(_ database: SQLiteDatabase, of store: PersistentStore) {
    self.database = database
    self.store = store
  }

  /// Makes all of the additions, or none; throws errors from the closure, after all of its changes are undone.
  package func asOne<T>(_ body: () throws(CofferError) -> T) throws(CofferError) -> T {
    let before = store
    try database.run("SAVEPOINT structure")
    do {
      let result = try body()
      try database.run("RELEASE structure")
      return result
    } catch {
      store = before
      try database.run("ROLLBACK TO structure")
      try database.run("RELEASE structure")
      throw error
    }
  }

  /// Reads the meaning of the tables and columns again.
  func planAgain() throws(CofferError) { store = try store.planned(like: database) }

  func refusal(_ reason: String) -> CofferError {
    CofferError(.refused, path: store.path, detail: reason)
  }

  // MARK: Tables and columns

  /// Adds the table of a root entity, or the table or columns of a property, with their indexes.
  ///
  /// In a new column, rows get a value derived from other data, else the default, else nothing.
  ///
  /// - Parameters:
  ///   - property: the property, elements of a composite attribute by their path; nil for the entity.
  ///   - entity: the entity, which declares the property.
  /// - Returns: the names of the tables and columns, as clauses; empty if nothing is missing.
  /// - Throws: ``CofferError``: `refused` if the form is not known, or if objects would lack a value
  ///   that they must have; otherwise mapped from SQLite's result code.
  package func add(_ property: Name?, of entity: Name) throws(CofferError) -> [String] {
    var added: [String] = []
    // A column that depends on another one is only known to be missing once the other exists.
    while case let parts = missingParts(property, entity), !parts.isEmpty {
      guard added.count < Self.maxParts else { throw refusal("its form is not known") }
      var columns: [ColumnPlace] = []
      for part in parts {
        switch part.kind {
        case .table, .joinTable: added.append(try createTable(part))
        default:
          let place = try place(of: part)
          try addColumn(place, part)
          columns.append(place)
          added.append("add the column \(place.column) to \(place.table)")
        }
      }
      try planAgain()
      for column in columns { try fill(column) }
      try createIndexes(columns)
    }
    return added
  }

  /// More parts than any entity or property has.
  private static let maxParts = 10

  /// A column by the names of its table and its own.
  struct ColumnPlace {
    let table: String
    let column: String
  }

  private func missingParts(_ property: Name?, _ entity: Name) -> [MissingPart] {
    store.layout.missing.filter { part in
      switch (part.property, property) {
      case (nil, nil): return part.entity == entity
      case (let own?, let wanted?):
        let missing = PropertyReference(entity: part.entity, property: own)
        let asked = PropertyReference(entity: entity, property: wanted)
        // A join table belongs to both of its relationships.
        let names = part.kind == .joinTable ? [missing, inverse(of: missing)] : [missing]
        return part.kind != .inverse && names.contains(asked)
      default: return false
      }
    }
  }

  private func inverse(of reference: PropertyReference) -> PropertyReference? {
    store.model.relationship(reference.property, of: reference.entity)
      .flatMap { store.model.inverse(of: $0.relationship) }
      .map { PropertyReference(entity: $0.declaredBy, property: $0.relationship.name) }
  }

  private var design: StoreDesign {
    get throws(CofferError) {
      let layout = store.layout
      if let entity = layout.numbering.unmatchedEntityNames.first {
        throw refusal("the entity \(entity) has no number, which names depend on")
      }
      return StoreDesign(
        model: layout.model, numbers: layout.numbering.numbers,
        era: store.metadata.era ?? .newest,
        choices: DesignChoices(like: layout, catalog: store.catalog))
    }
  }

  private func createTable(_ part: MissingPart) throws(CofferError) -> String {
    let design = try design
    let reference = part.property.map { PropertyReference(entity: part.entity, property: $0) }
    let concerned: [PropertyReference] =
      reference.map { [$0, inverse(of: $0)].compactMap(\.self) }
      ?? store.model.tree(of: part.entity).flatMap { entity in
        ([""] + entity.attributes.map(\.name) + entity.relationships.map(\.name))
          .map { PropertyReference(entity: entity.name, property: $0) }
      }
    let open = design.blocking.first { choice in
      (part.property != nil || !choice.isAboutNames)
        && choice.properties.contains(where: concerned.contains)
    }
    if let open { throw refusal("cannot determine \(open.text)") }
    guard
      let table = design.tables.first(where: {
        SchemaName($0.name) == SchemaName(part.expectedName)
      })
    else { throw refusal("its form is not known") }
    try run(table)
    let own = (design.indexes + design.triggers).filter {
      SchemaName($0.tableName) == SchemaName(table.name)
    }
    let known = Set(store.catalog.statements.map { SchemaName($0.name) })
    for statement in own where !known.contains(SchemaName(statement.name)) { try run(statement) }
    return "create the table \(table.name)"
  }

  private func run(_ statement: SchemaStatement) throws(CofferError) {
    do {
      try database.run(statement.sql)
    } catch {
      throw refusal("SQLite refuses to create \(statement.name): \(error.detail)")
    }
  }

  // MARK: Columns

  private func place(of part: MissingPart) throws(CofferError) -> ColumnPlace {
    guard !part.expectedName.isEmpty else { throw refusal("its entity has no number") }
    let relationship = part.property.flatMap {
      store.model.relationship($0, of: part.entity)?.relationship
    }
    let layout = store.layout
    let table: String?
    if let relationship, relationship.isToMany {
      let reference = PropertyReference(entity: part.entity, property: relationship.name)
      // Without an inverse, the destinations name their owner.
      table =
        relationship.inverseName == nil
        ? layout.entityTable(of: relationship.destinationName)?.tableName
        : layout.joinTable(of: reference)?.tableName
    } else {
      table = layout.entityTable(of: part.entity)?.tableName
    }
    guard let table else { throw refusal("its table is not known") }
    return ColumnPlace(table: table, column: part.expectedName)
  }

  private func addColumn(_ place: ColumnPlace, _ part: MissingPart) throws(CofferError) {
    guard DesignNames.isUsable(Name(place.column)) else {
      throw refusal("its name cannot be in a schema unchanged")
    }
    var type = "INTEGER"
    if part.kind == .column, let attribute = attribute(part) {
      let role = FieldRole.attribute(
        path: [attribute.name], type: attribute.type, isExternal: false, entity: part.entity)
      type = ColumnOrder(role).sqlType
    }
    let (table, column) = (quotedIdentifier(place.table), quotedIdentifier(place.column))
    do {
      try database.run("ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
    } catch {
      throw refusal("SQLite refuses to add the column \(place.column): \(error.detail)")
    }
  }

  /// Creates the indexes whose columns were missing; unique indexes follow when the values are in
  /// order.
  private func createIndexes(_ columns: [ColumnPlace]) throws(CofferError) {
    if columns.isEmpty { return }
    let known = Set(store.catalog.statements.compactMap(IndexElements.init))
    for index in try design.indexes where !index.isUniqueIndex && !index.isPartialIndex {
      guard let elements = IndexElements(index), !known.contains(elements),
        let table = store.catalog.table(index.tableName),
        elements.columns.allSatisfy({ name in
          table.columns.contains { SchemaName($0.name) == name }
        })
      else { continue }
      let isConcerned = columns.contains { place in
        elements.table == SchemaName(place.table)
          && elements.columns.contains(SchemaName(place.column))
      }
      if isConcerned { try run(index) }
    }
  }

  private func attribute(_ part: MissingPart) -> AttributeDescription? {
    let path = part.property.map { Name.path($0.text, omittingEmptyNames: false) } ?? []
    return store.model[part.entity]?.attribute(at: path)
  }
}
