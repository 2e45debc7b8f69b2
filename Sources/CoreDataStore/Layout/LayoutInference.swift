internal import CoreDataLayout
internal import CoreDataModel

/// Infers a model and its layout from only the registry and the schema.
///
/// The tables do not show everything: the entity that declares a property, UUIDs, URIs and
/// transformables among blobs and strings, the inverses of to-one relationships, and the destinations
/// of some are unknown. Entities, inheritance, columns and many-to-many relationships are known, so
/// all rows can be kept.
struct LayoutInference {
  /// The maximum number of superentities; a longer chain is cut.
  private static let maximumInheritanceDepth = 128

  private let registry: EntityRegistry
  private let indexes: [SchemaName: [SchemaCatalog.Index]]
  private var rows: [EntityRegistry.Row] = []
  private var superentities: [Name: Name] = [:]
  private var attributes: [Name: [AttributeDescription]] = [:]
  private var relationships: [Name: [RelationshipDescription]] = [:]
  /// The names of properties that are in use, by root entity.
  private var taken: [Name: Set<Name>] = [:]

  private(set) var tables: [EntityTable] = []
  private(set) var joins: [JoinTable] = []
  private(set) var missing: [MissingPart] = []

  init(registry: EntityRegistry, catalog: SchemaCatalog) {
    self.registry = registry
    indexes = Dictionary(grouping: catalog.indexes) { SchemaName($0.tableName) }
    collectEntities()
    let model = model
    let destinations = InferredDestinations(rows, parents: Set(superentities.values))
    var claimed: Set<SchemaName> = []
    for row in rows where superentities[row.name] == nil {
      let name = EntityTable.name(ofRoot: row.name)
      if let table = catalog.entityTable(name), claimed.insert(SchemaName(table.name)).inserted {
        infer(row.name, from: table, model, destinations)
      } else {
        missing.append(
          MissingPart(kind: .table, entity: row.name, property: nil, expectedName: name))
      }
    }
    for table in catalog.tables
    where table.kind == .ordinary && !claimed.contains(SchemaName(table.name)) {
      inferJoin(from: table, model)
    }
  }

  /// The model inferred so far.
  var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: rows.map { row in
        EntityDescription(
          name: row.name, superentityName: superentities[row.name],
          attributes: attributes[row.name] ?? [], relationships: relationships[row.name] ?? [])
      },
      source: .inferred)
  }

  // MARK: Entities

  private mutating func collectEntities() {
    var names: Set<Name> = []
    rows = registry.rows.filter { !$0.name.isEmpty && names.insert($0.name).inserted }
    let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for row in rows {
      superentities[row.name] = superentity(of: row, byNumber)
    }
  }

  /// The name of the superentity; nil for a root and for an entity below a cycle or too deep.
  private func superentity(
    of row: EntityRegistry.Row, _ byNumber: [Int64: EntityRegistry.Row]
  ) -> Name? {
    let parent = row.superentityNumber.flatMap { byNumber[$0] }
    var (next, depth) = (parent, 0)
    while let above = next {
      depth += 1
      guard above.number != row.number, depth <= Self.maximumInheritanceDepth else { return nil }
      next = above.superentityNumber.flatMap { byNumber[$0] }
    }
    return parent?.name
  }

  // MARK: Columns

  private mutating func infer(
    _ root: Name, from table: SchemaTable, _ model: ManagedObjectModel,
    _ destinations: InferredDestinations
  ) {
    var matcher = ColumnMatcher(table)
    if let part = matcher.takeSystemColumns(of: root) { missing.append(part) }
    let entities = model.tree(of: root).map(\.name)
    let references = InferredReferences(
      table, tree: Set(entities), destinations, indexes[SchemaName(table.name)] ?? [])
    for reference in references.references { take(reference, of: root, model, &matcher) }
    for column in table.columns where !column.isGenerated && !matcher.hasRole(column.name) {
      guard let name = Self.attributeName(of: column.name),
        let type = Self.type(declared: column.declaredType),
        taken[root, default: []].insert(name).inserted
      else { continue }
      attributes[root, default: []].append(AttributeDescription(name: name, type: type))
      matcher.take(
        column.name, as: .attribute(path: [name], type: type, isExternal: false, entity: root))
    }
    tables.append(
      EntityTable(
        rootEntityName: root, entityNames: entities, tableName: table.name,
        columns: matcher.columns, generatedColumns: matcher.generatedColumns))
  }

  /// The name without its Z in small letters; nil for an order column and for a name that Core Data
  /// would not give.
  private static func attributeName(of column: String) -> Name? {
    guard column.unicodeScalars.first == "Z", !column.utf8.starts(with: "Z_FOK_".utf8) else {
      return nil
    }
    return propertyName(column.droppingScalars(1))
  }

  /// A name in lowercase, or nil if no property can have it.
  private static func propertyName(_ name: String) -> Name? {
    guard let first = name.unicodeScalars.first, first != "$" else { return nil }
    return Name(name.lowercased())
  }

  /// The attribute type for a declared type; nil for one that Core Data does not write.
  ///
  /// Source: store-format, section 5.4.
  private static func type(declared: String) -> AttributeType? {
    let word = declared.uppercased().prefix { $0 != "(" && $0 != " " }
    return switch word {
    case "INTEGER": .integer64
    case "FLOAT": .double
    case "TIMESTAMP": .date
    case "DECIMAL": .decimal
    case "VARCHAR": .string
    case "BLOB": .binary
    default: nil
    }
  }

  // MARK: Relationships

  /// Adds the relationship of a column, unless another property has its name.
  private mutating func take(
    _ reference: InferredReferences.Reference, of root: Name, _ model: ManagedObjectModel,
    _ matcher: inout ColumnMatcher
  ) {
    guard let name = Self.propertyName(reference.upperName) else { return }
    switch reference.kind {
    case .toOne(let destination):
      guard taken[root, default: []].insert(name).inserted else { return }
      relationships[root, default: []].append(
        RelationshipDescription(name: name, destinationName: destination))
      matcher.take(reference.column, as: .toOne(name: name, entity: root))
      if let column = reference.entityColumn {
        matcher.take(column, as: .toOneEntity(name: name, entity: root))
      }
      if let column = reference.orderColumn {
        matcher.take(column, as: .order(name: name, entity: root))
      }
    case .owner(let entity):
      let ownerRoot = model.root(of: entity)?.name ?? entity
      guard taken[ownerRoot, default: []].insert(name).inserted else { return }
      relationships[entity, default: []].append(
        RelationshipDescription(
          name: name, destinationName: root, maxCount: 0,
          isOrdered: reference.orderColumn != nil))
      matcher.take(reference.column, as: .owner(entity: entity, relationship: name))
      if let column = reference.orderColumn {
        matcher.take(column, as: .ownerOrder(entity: entity, relationship: name))
      }
    }
  }

  /// Concludes a relationship from a table whose two columns are of known entities.
  private mutating func inferJoin(from table: SchemaTable, _ model: ManagedObjectModel) {
    guard let pair = joinPair(of: table), let match = JoinMatch(pair, table, exactNumbers: true)
    else { return }
    let sides = pair.isReflexive ? [pair.first] : [pair.first, pair.second]
    var names: [Name: Set<Name>] = [:]
    for side in sides {
      guard let root = model.root(of: side.reference.entity)?.name,
        tables.contains(where: { $0.rootEntityName == root }),
        taken[root]?.contains(side.reference.property) != true,
        names[root, default: []].insert(side.reference.property).inserted
      else { return }
    }
    taken.merge(names) { $0.union($1) }
    for (side, other) in zip([pair.first, pair.second], [pair.second, pair.first]).prefix(
      sides.count)
    {
      relationships[side.reference.entity, default: []].append(
        RelationshipDescription(
          name: side.reference.property, destinationName: other.reference.entity,
          inverseName: other.reference.property, maxCount: 0, isOrdered: side.isOrdered))
    }
    joins.append(match.joinTable().table)
  }

  /// The two relationships that a table's columns suggest, beginning with the relationship that names the table;
  /// nil if the table has another form or is ambiguous.
  private func joinPair(of table: SchemaTable) -> JoinPair? {
    guard let name = NumberedName(table.name, prefix: "Z_") else { return nil }
    let columns = table.columns.filter { !$0.isGenerated }.compactMap { column in
      NumberedName(column.name, prefix: "Z_").map { (column.name, $0) }
    }
    if columns.count == 1, let (column, own) = columns.first, own.number == name.number,
      isNamesake(own.rest, of: name.rest), table.column("REFLEXIVE") != nil
    {
      let isOrdered = table.column("Z_FOK_REFLEXIVE") != nil || hasOrder(column, table)
      return side(of: own, named: own.rest, isOrdered).map { JoinPair(first: $0, second: $0) }
    }
    guard columns.count == 2 else { return nil }
    let readings = [(columns[0], columns[1]), (columns[1], columns[0])].filter {
      $0.0.1.number == name.number && isNamesake($0.1.1.rest, of: name.rest)
    }
    let exact = readings.filter { SchemaName($0.1.1.rest) == SchemaName(name.rest) }
    let preferred = exact.isEmpty ? readings : exact
    guard preferred.count == 1, let (source, destination) = preferred.first,
      let first = side(of: source.1, named: destination.1.rest, hasOrder(destination.0, table)),
      let second = side(of: destination.1, named: source.1.rest, hasOrder(source.0, table))
    else { return nil }
    return JoinPair(first: first, second: second)
  }

  private func hasOrder(_ column: String, _ table: SchemaTable) -> Bool {
    table.column("Z_FOK_" + column.droppingScalars(2)) != nil
  }

  private func side(
    of column: NumberedName, named name: String, _ isOrdered: Bool
  ) -> JoinPair.Side? {
    guard let entity = rows.first(where: { $0.number == column.number })?.name,
      let property = Self.propertyName(name)
    else { return nil }
    return JoinPair.Side(
      reference: PropertyReference(entity: entity, property: property), upperName: name,
      number: column.number, isOrdered: isOrdered, hasSubentities: false)
  }
}
