internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Plans the statements of a transfer.
struct TransferPlanner {
  let mapping: ModelMapping
  let source: StoreLayout
  let destination: StoreLayout
  let links: SourceLinks
  /// The source of the values of each property of the new model, by the declaring entity.
  let origins: [PropertyReference: Set<PropertyReference>]
  /// The numbers of the old entities whose objects are migrated.
  let carriedNumbers: Set<Int64>
  /// The changes of each entity's properties in the new model.
  private let properties: [Name: [PropertyReference: PropertyMapping]]

  var statements: [TransferStatement] = []
  var problems: [MappingProblem] = []

  init(mapping: ModelMapping, source: StoreLayout, destination: StoreLayout) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    links = SourceLinks(layout: source)
    var origins: [PropertyReference: Set<PropertyReference>] = [:]
    var properties: [Name: [PropertyReference: PropertyMapping]] = [:]
    for entity in mapping.entities {
      for property in entity.properties {
        guard let new = property.destination else { continue }
        properties[entity.name, default: [:]][new] = property
        guard let old = property.source else { continue }
        origins[new, default: []].insert(old)
      }
    }
    self.origins = origins
    carriedNumbers = Set(
      mapping.entities.compactMap { $0.destinationName == nil ? nil : $0.sourceName }
        .compactMap { source.numbering.number(of: $0) })
    self.properties = properties
  }

  /// The changes of a property of the new model for an entity; nil if the entity lacks it.
  func property(_ place: PropertyReference, of member: Member) -> PropertyMapping? {
    properties[member.newName]?[place]
  }

  // MARK: Entities

  /// An entity of a new table whose objects come from the old store.
  struct Member {
    var oldName: Name
    var newName: Name
    var oldNumber: Int64
    var newNumber: Int64
  }

  /// The entities of a new table that had objects in the old store.
  func members(of entities: [Name]) -> [Member] {
    entities.compactMap { name in
      guard let old = mapping.mapping(to: name)?.sourceName,
        let oldNumber = source.numbering.number(of: old),
        let newNumber = destination.numbering.number(of: name)
      else { return nil }
      return Member(oldName: old, newName: name, oldNumber: oldNumber, newNumber: newNumber)
    }
  }

  /// The old table with the objects of a new one; nil if there are none.
  func sourceTable(of table: EntityTable) -> EntityTable? {
    members(of: table.entityNames).first.flatMap { source.entityTable(of: $0.oldName) }
  }

  /// The old store's numbers of the entities that map to a new entity or to one of its subentities.
  func oldNumbers(below name: Name) -> Set<Int64> {
    Set(members(of: mapping.destination.tree(of: name).map(\.name)).map(\.oldNumber))
  }

  /// The numbers of an entity of the old store and of those below it.
  func numbers(below oldName: Name) -> Set<Int64> {
    Set(source.model.tree(of: oldName).compactMap { source.numbering.number(of: $0.name) })
  }

  // MARK: Problems

  mutating func note(
    _ code: MappingProblem.Code, _ place: PropertyReference, _ sentence: String,
    remedy: CofferError.Advice = "Migrate in the app."
  ) {
    let problem = MappingProblem(
      code, entity: place.entity, property: place.property.isEmpty ? nil : place.property,
      sentence, remedy: remedy)
    if !problems.contains(problem) { problems.append(problem) }
  }

  // MARK: Tables

  mutating func plan(_ table: EntityTable) {
    let members = members(of: table.entityNames)
    guard let old = sourceTable(of: table), !members.isEmpty else { return }
    var builder = SelectionBuilder()
    for column in table.columns {
      guard column.role != .plain else { continue }
      let value = value(of: column.role, in: table, from: old, members: members, &builder)
      builder.add(column.storedName, value)
    }
    statements.append(
      builder.statement(
        table: table.tableName, from: old.tableName,
        where: "t.\(Self.entityNumber) IN (\(Self.list(members.map(\.oldNumber))))",
        content: .objects))
  }

  /// The kind of a column in the new table.
  private mutating func value(
    of role: FieldRole, in table: EntityTable, from old: EntityTable, members: [Member],
    _ builder: inout SelectionBuilder
  ) -> SelectionBuilder.Value {
    switch role {
    case .primaryKey: return .sql("t.\(Self.primaryKey)")
    case .entityNumber:
      return .sql(Self.renumbering("t.\(Self.entityNumber)", members))
    case .version:
      let column = old.columns.first { $0.role == .version }
      return column.map { .sql("t.\(quotedIdentifier($0.storedName))") } ?? .sql("1")
    case .attribute(let path, _, let isExternal, let declarer):
      return attribute(
        path, declaredBy: declarer, isExternal: isExternal, from: old, members, &builder)
    case .toOne(let name, let declarer):
      return reference(PropertyReference(entity: declarer, property: name), members)
    case .toOneEntity(let name, let declarer):
      return referenceEntity(
        PropertyReference(entity: declarer, property: name), in: table, &builder)
    case .order(let name, let declarer):
      return order(PropertyReference(entity: declarer, property: name), in: table, members)
    case .owner(let entity, let name):
      return owner(PropertyReference(entity: entity, property: name))
    case .ownerOrder(let entity, let name):
      return ownerOrder(PropertyReference(entity: entity, property: name), in: table)
    case .source, .destination, .destinationOrder, .sourceOrder, .plain: return .sql("NULL")
    }
  }

  // MARK: SQL

  static let primaryKey = quotedIdentifier(StoredName.primaryKey)
  static let entityNumber = quotedIdentifier(StoredName.entityNumber)

  static func list(_ numbers: some Sequence<Int64>) -> String {
    numbers.sorted().map(String.init).joined(separator: ", ")
  }

  /// The new number of an entity whose old number an expression gives.
  static func renumbering(_ expression: String, _ members: [Member]) -> String {
    if members.allSatisfy({ $0.oldNumber == $0.newNumber }) { return expression }
    let cases = members.map { "WHEN \($0.oldNumber) THEN \($0.newNumber)" }
    return "CASE \(expression) \(cases.joined(separator: " ")) END"
  }
}
