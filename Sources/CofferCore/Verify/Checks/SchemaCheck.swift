internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks that the store has a table or column for everything in its model, under any name.
///
/// The layout describes stores and archives alike. An archive contains every table and column of
/// its store, so what it lacks was missing in the store too.
final class SchemaCheck: Check {
  static let name = CheckName.schema
  private let context: VerificationContext
  private let model: ManagedObjectModel
  /// The roles of the columns by root entity; no entry if there is no table.
  private let roles: [Name: [FieldRole]]
  /// The roles of the columns of pairs, by relationship.
  private let pairs: [Relationship: [FieldRole]]

  private struct Relationship: Hashable {
    var entity: Name
    var name: Name

    init(entity: Name, name: String) {
      self.entity = entity
      self.name = Name(name)
    }
  }

  init(_ context: VerificationContext) {
    self.context = context
    model = context.subject.model
    var roles: [Name: [FieldRole]] = [:]
    var pairs: [Relationship: [FieldRole]] = [:]
    for table in context.tables {
      let fields = table.shape.fields.map(\.role)
      guard let entity = table.shape.entityName else { continue }
      switch table.shape.kind {
      case .entity: roles[entity] = fields
      case .relationship:
        pairs[Relationship(entity: entity, name: table.shape.relationshipName?.text ?? "")] = fields
      default: break
      }
    }
    self.roles = roles
    self.pairs = pairs
  }

  func prepare() throws {
    for finding in SchemaPolicy.findings(about: context.subject.schema) {
      try context.report(finding)
    }
    // For an archive, only an import can check this.
    if let store = context.subject.store {
      for finding in try StoreRehearsal.findings(about: store) { try context.report(finding) }
    }
    for root in model.rootEntities {
      if let fields = roles[root.name] {
        if !fields.contains(.version) {
          try report(.missingProperty, root.name, nil, "the version counter")
        }
        for entity in model.tree(of: root.name) { try checkProperties(of: entity, fields) }
      } else {
        try report(.missingTable, root.name, nil)
      }
    }
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.isToMany && !relationship.isTransient {
        try checkToMany(relationship, of: entity.name)
      }
    }
  }

  func finish() throws {
    guard !context.subject.modelIsInferred else { return }
    let layout = context.subject.layout
    let era = context.administration.metadata.first?.era ?? .newest
    let missing = MissingSchemaParts(
      model: model, numbers: layout.entities.numbers, era: era, tables: layout.tables,
      statements: context.subject.schema.statements.compactMap(SchemaStatement.init))
    for part in missing.parts {
      let code: FindingCode =
        switch part.kind {
        case .index: .missingIndex
        case .uniqueIndex: .missingUniqueIndex
        case .derivedTriggers: .missingTrigger
        case .spatialTriggers: .missingSpatialTrigger
        }
      try report(code, part.entity, part.attribute, part.names.joined(separator: ", "))
    }
  }

  // MARK: Columns of the entity's own table

  private func checkProperties(of entity: EntityDescription, _ fields: [FieldRole]) throws {
    var paths: Set<[String]> = []
    for case .attribute(let path, _, _, entity.name) in fields { paths.insert(path.map(\.text)) }
    for attribute in entity.attributes where !attribute.isTransient {
      for path in Self.leaves(of: attribute, below: []) where !paths.contains(path.map(\.text)) {
        try report(.missingProperty, entity.name, Name(path: path), "the attribute's value")
      }
    }
    for relationship in entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      try checkToOne(relationship, of: entity.name, fields)
    }
  }

  /// The paths of an attribute's values: its own, or the paths of a composite attribute's elements.
  private static func leaves(of attribute: AttributeDescription, below path: [Name]) -> [[Name]] {
    let path = path + [attribute.name]
    return attribute.isComposite
      ? attribute.elements.flatMap { leaves(of: $0, below: path) } : [path]
  }

  private func checkToOne(
    _ relationship: RelationshipDescription, of entity: Name, _ fields: [FieldRole]
  ) throws {
    let name = relationship.name
    func check(_ role: FieldRole, _ detail: String) throws -> Bool {
      if fields.contains(role) { return true }
      try report(.missingProperty, entity, name, detail)
      return false
    }
    guard try check(.toOne(name: name, entity: entity), "the destination") else { return }
    if !model.subentityNames(of: relationship.destinationName).isEmpty {
      _ = try check(.toOneEntity(name: name, entity: entity), "the destination's entity")
    }
    if let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany,
      inverse.isOrdered, !inverse.isTransient
    {
      _ = try check(
        .order(name: name, entity: entity), "the position in the ordered \(inverse.name)")
    }
  }

  // MARK: To-many relationships

  private func checkToMany(_ relationship: RelationshipDescription, of entity: Name) throws {
    guard relationship.inverseName != nil else { return try checkOwner(relationship, of: entity) }
    guard let inverse = model.inverse(of: relationship) else {
      return try report(.missingProperty, entity, relationship.name, "the model lacks its inverse")
    }
    guard inverse.relationship.isToMany, !inverse.relationship.isTransient else { return }
    let here = Relationship(entity: entity, name: relationship.name.text)
    let there = Relationship(entity: inverse.declaredBy, name: inverse.relationship.name.text)
    if let fields = pairs[here] ?? pairs[there] {
      let role = pairs[here] != nil ? FieldRole.destinationOrder : .sourceOrder
      if relationship.isOrdered, !fields.contains(role) {
        try report(.missingProperty, entity, relationship.name, "the destinations' positions")
      }
    } else if isFirst(here, there) {
      // Only once for both sides.
      try report(.missingTable, entity, relationship.name)
    }
  }

  /// Whether a side precedes the other in the model.
  private func isFirst(_ side: Relationship, _ other: Relationship) -> Bool {
    if side.entity != other.entity { return side.entity < other.entity }
    return other.name >= side.name
  }

  /// A to-many relationship without an inverse is stored with its destinations.
  private func checkOwner(_ relationship: RelationshipDescription, of entity: Name) throws {
    guard let root = model.root(of: relationship.destinationName)?.name, let fields = roles[root]
    else { return }
    let name = relationship.name
    if !fields.contains(.owner(entity: entity, relationship: name)) {
      try report(.missingProperty, entity, name, "the destinations' owners")
    } else if relationship.isOrdered,
      !fields.contains(.ownerOrder(entity: entity, relationship: name))
    {
      try report(.missingProperty, entity, name, "the destinations' positions")
    }
  }

  private func report(
    _ code: FindingCode, _ entity: Name, _ property: Name?, _ detail: String = ""
  ) throws {
    try context.report(code, entityName: entity, propertyName: property, detail: detail)
  }
}
