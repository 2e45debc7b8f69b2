package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// The indexes and triggers that a store lacks although a fresh store of its model would have them.
///
/// Indexes are compared by their columns, since migrations and older frameworks leave other names
/// (store-format, section 5.9). Join tables, counters that an app keeps with triggers, and derived
/// attributes of unknown forms are not compared.
package struct MissingSchemaParts {
  /// A missing part, or several of one property.
  package struct Part: Sendable, Equatable {
    /// The kinds of parts.
    package enum Kind: Sendable {
      /// An index that only makes fetches faster.
      case index
      case uniqueIndex
      case derivedTriggers
      case spatialTriggers
    }

    /// The kind.
    package var kind: Kind
    /// The root entity of an index, or the entity that declares the attribute.
    package var entity: Name
    /// The attribute; nil for an index.
    package var attribute: Name?
    /// The names that a fresh store gives them.
    package var names: [String]
  }

  /// The parts, indexes first.
  package private(set) var parts: [Part] = []

  private let tables: [SchemaName: TableLayout]
  private let statements: [SchemaStatement]

  /// Compares a schema with the one that the model requires.
  package init(
    model: ManagedObjectModel, numbers: [Name: Int64], era: FrameworkEra,
    tables: [TableLayout], statements: [SchemaStatement]
  ) {
    self.tables = Dictionary(
      tables.filter { $0.kind == .entity }.map { (SchemaName($0.storedName), $0) },
      uniquingKeysWith: { first, _ in first })
    self.statements = statements
    let design = StoreDesign(model: model, numbers: numbers, era: era)
    addIndexes(design)
    addUniqueIndexes(design)
    addTriggers(design)
  }

  // MARK: Indexes

  private mutating func addIndexes(_ design: StoreDesign) {
    var whole: Set<IndexElements> = []
    var partial: Set<IndexElements> = []
    for statement in statements {
      guard let elements = IndexElements(statement) else { continue }
      if statement.isPartialIndex { partial.insert(elements) } else { whole.insert(elements) }
    }
    for index in design.indexes where !index.isUniqueIndex {
      guard let elements = IndexElements(index), !whole.contains(elements),
        !index.isPartialIndex || !partial.contains(elements)
      else { continue }
      add(.index, index.name, elements.table, elements.columns)
    }
  }

  private mutating func addUniqueIndexes(_ design: StoreDesign) {
    let known = Set(statements.flatMap(Self.uniqueLists).map(\.list))
    for (name, list) in (design.tables + design.indexes).flatMap(Self.uniqueLists)
    where !known.contains(list) {
      add(.uniqueIndex, name, list.table, list.columns)
    }
  }

  /// The columns whose values are unique together.
  private struct UniqueList: Hashable {
    var table: SchemaName
    var columns: [SchemaName]
  }

  /// The lists of columns that a statement makes unique, each with the name of the index, or of the
  /// table that declares it.
  private static func uniqueLists(
    of statement: SchemaStatement
  ) -> [(name: String, list: UniqueList)] {
    if statement.kind == .table {
      let table = SchemaName(statement.name)
      return statement.uniqueColumns.map {
        (statement.name, UniqueList(table: table, columns: $0))
      }
    }
    guard statement.isUniqueIndex, let elements = IndexElements(statement) else { return [] }
    return [(statement.name, UniqueList(table: elements.table, columns: elements.columns))]
  }

  /// Adds an index of a table of objects, if the store has the table and the columns.
  private mutating func add(
    _ kind: Part.Kind, _ name: String, _ table: SchemaName, _ columns: [SchemaName]
  ) {
    guard let shape = tables[table], let entity = shape.entityName else { return }
    let known = Set(shape.fields.map { SchemaName($0.storedName) })
    guard columns.allSatisfy(known.contains) else { return }
    parts.append(Part(kind: kind, entity: entity, attribute: nil, names: [name]))
  }

  // MARK: Triggers

  private mutating func addTriggers(_ design: StoreDesign) {
    let known = Set(statements.filter { $0.kind == .trigger }.map { SchemaName($0.name) })
    let designed = Dictionary(
      design.attributeTriggers.map { ($0.attribute, $0.triggers) },
      uniquingKeysWith: { first, _ in first })
    for entity in design.model.entities {
      for attribute in entity.attributes {
        let reference = PropertyReference(entity: entity.name, property: attribute.name)
        let triggers =
          designed[reference]
          ?? Self.certainTrigger(attribute, of: entity, design.model).map { [$0] } ?? []
        let missing = triggers.filter {
          tables[SchemaName($0.tableName)] != nil && !known.contains(SchemaName($0.name))
        }
        guard !missing.isEmpty else { continue }
        parts.append(
          Part(
            kind: attribute.derivation == nil ? .spatialTriggers : .derivedTriggers,
            entity: entity.name, attribute: attribute.name, names: missing.map(\.name)))
      }
    }
  }

  /// The trigger that is common to both known forms, for a derived attribute of such a form between entities
  /// for which no store shows all triggers; nil for other attributes.
  private static func certainTrigger(
    _ attribute: AttributeDescription, of entity: EntityDescription, _ model: ManagedObjectModel
  ) -> SchemaStatement? {
    guard let derivation = attribute.derivation, derivation.filteringPredicate == nil,
      let root = model.root(of: entity.name)
    else { return nil }
    let name: Name
    switch derivation.expression {
    case .keyPath(nil, let path):
      let steps = Name.path(path)
      guard steps.count == 2,
        model.relationship(steps[0], of: entity.name)?.relationship.isToMany == false
      else { return nil }
      name = steps[0]
    case .function(_, "count:", let arguments):
      guard arguments.count == 1, case .keyPath(nil, let path) = arguments[0],
        let toMany = model.relationship(Name(path), of: entity.name)?.relationship, toMany.isToMany,
        model.inverse(of: toMany)?.relationship.isToMany == false
      else { return nil }
      name = Name(path)
    default: return nil
    }
    guard model.relationship(name, of: entity.name)?.relationship.isTransient == false else {
      return nil
    }
    let table = EntityTable.name(ofRoot: root.name)
    return SchemaStatement(
      kind: .trigger, name: "Z_DA_\(table)_\(entity.name)_\(attribute.name)_SOURCE_INSERT",
      tableName: table, sql: "")
  }
}
