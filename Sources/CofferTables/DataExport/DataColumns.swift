internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The columns of an entity's part: the key, then the attributes and to-one relationships in the
/// order of the model, inherited ones first.
struct DataColumns {
  private let fields: DataFields
  private let model: ManagedObjectModel
  private let entityName: Name
  /// The names of the entity and of all that it inherits from.
  private let lineage: Set<Name>
  /// The root of the objects that a reference to an entity may lead to.
  private let root: (Name) -> Name?

  private var names = UniqueNames(.files)
  private var used: Set<Int> = []
  private(set) var columns: [DataColumn] = []

  init(
    _ fields: DataFields, _ model: ManagedObjectModel, of entityName: Name,
    lineage: Set<Name>, keyName: String, root: @escaping (Name) -> Name?
  ) {
    self.fields = fields
    self.model = model
    self.entityName = entityName
    self.lineage = lineage
    self.root = root
    if let key = fields.key { add(keyName, .key, key) }
    for attribute in model.allAttributes(of: entityName) { add(attribute, below: []) }
    for attribute in fields.attributes where lineage.contains(attribute.field.entityName) {
      add(attribute)
    }
    for relationship in model.allRelationships(of: entityName) { addToOne(relationship.name) }
    for name in fields.toOnes.keys.sorted() { addToOne(name) }
    addOwners()
  }

  private mutating func add(
    _ name: String, _ content: DataColumn.Content, _ column: Int, destination: Name? = nil
  ) {
    columns.append(
      DataColumn(
        name: names.take(name), content: content, column: column,
        destinationRoot: destination.flatMap(root)))
  }

  /// Adds an attribute, or the elements of a composite attribute.
  private mutating func add(_ attribute: AttributeDescription, below path: [Name]) {
    let path = path + [attribute.name]
    if attribute.isComposite {
      for element in attribute.elements { add(element, below: path) }
      return
    }
    for position in fields.attributesByPath[path.map(\.text)] ?? [] {
      let found = fields.attributes[position]
      if lineage.contains(found.field.entityName) { add(found) }
    }
  }

  private mutating func add(_ attribute: DataFields.Attribute) {
    guard used.insert(attribute.field.index).inserted else { return }
    let name = attribute.path.joined(separator: ".")
    let form = ValueForm(attribute.type, isExternal: attribute.isExternal)
    add(name, .attribute(form, attribute.type), attribute.field.index)
    if form == .externalBinary { add("\(name).file", .file, attribute.field.index) }
  }

  private mutating func addToOne(_ name: Name) {
    func found(_ candidates: [DataFields.Field]?) -> DataFields.Field? {
      candidates?.first { lineage.contains($0.entityName) && !used.contains($0.index) }
    }
    guard let field = found(fields.toOnes[name]) else { return }
    used.insert(field.index)
    let destination = model.relationship(name, of: field.entityName)?.relationship.destinationName
    add(name.text, .reference, field.index, destination: destination)
    if let entity = found(fields.destinationEntities[name]) {
      used.insert(entity.index)
      add("\(name).entity", .destinationEntity, entity.index)
    }
    if let position = found(fields.positions[name]) {
      used.insert(position.index)
      add("\(name).position", .position, position.index)
    }
  }

  /// Adds the columns of a relationship without inverse in its destinations.
  private mutating func addOwners() {
    for owner in fields.owners where isDestination(of: owner) {
      let name = "\(owner.entityName).\(owner.relationshipName)"
      add(name, .reference, owner.index, destination: owner.entityName)
      let position = fields.ownerPositions.first {
        $0.entityName == owner.entityName
          && $0.relationshipName == owner.relationshipName
      }
      if let position { add("\(name).position", .position, position.index) }
    }
  }

  private func isDestination(of owner: DataFields.Owner) -> Bool {
    guard let found = model.relationship(owner.relationshipName, of: owner.entityName) else {
      return true
    }
    return model.isEntity(entityName, kindOf: found.relationship.destinationName)
  }
}
