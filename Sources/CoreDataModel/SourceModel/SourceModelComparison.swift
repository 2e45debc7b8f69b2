/// Compares the model that a source gives with the original model, part by part.
struct SourceModelComparison {
  private let model: ManagedObjectModel
  private var departures: [SourceModelDeparture] = []
  private var entityName: String?
  private var propertyName: String?

  private init(_ model: ManagedObjectModel) { self.model = model }

  /// The differences, in the order of the entities; each kind once per place.
  static func departures(
    of found: ManagedObjectModel, from model: ManagedObjectModel
  ) -> [SourceModelDeparture] {
    var comparison = SourceModelComparison(model)
    comparison.compare(found)
    return comparison.departures
  }

  private mutating func note(_ kind: SourceModelDeparture.Kind, _ departs: Bool = true) {
    guard departs else { return }
    let departure = SourceModelDeparture(
      kind, entityName: entityName, propertyName: propertyName)
    if departures.last != departure { departures.append(departure) }
  }

  private mutating func compare(_ found: ManagedObjectModel) {
    note(
      model.versionIdentifiers.isEmpty ? .addedIdentifier : .versionIdentifiers,
      found.versionIdentifiers != model.versionIdentifiers)
    note(.fetchRequests, !model.fetchRequestTemplateNames.isEmpty)
    let isOther =
      found.configurations != model.configurations
      || found.fetchRequestTemplateNames != model.fetchRequestTemplateNames
      || found.entities.map(\.name) != model.entities.map(\.name)
    note(.other, isOther)
    for entity in model.entities {
      guard let other = found[entity.name] else { continue }
      entityName = entity.name
      compare(other, with: entity)
      propertyName = nil
    }
  }

  private mutating func compare(_ found: EntityDescription, with entity: EntityDescription) {
    note(.userInfo, found.userInfo != entity.userInfo)
    note(.inherited, found.uniquenessConstraints != entity.uniquenessConstraints)
    compareIndexes(found, entity)
    let isOther =
      found.className != entity.className || found.isAbstract != entity.isAbstract
      || found.superentityName != entity.superentityName
      || found.renamingIdentifier != entity.renamingIdentifier
      || found.versionHashModifier != entity.versionHashModifier
      || found.attributes.map(\.name) != entity.attributes.map(\.name)
      || found.relationships.map(\.name) != entity.relationships.map(\.name)
      || found.fetchedPropertyNames != entity.fetchedPropertyNames
    note(.other, isOther)
    for (other, attribute) in zip(found.attributes, entity.attributes) where other != attribute {
      propertyName = attribute.name
      compare(other, with: attribute)
    }
    for (other, relationship) in zip(found.relationships, entity.relationships)
    where other != relationship {
      propertyName = relationship.name
      compare(other, with: relationship)
    }
    for (other, property) in zip(found.fetchedProperties, entity.fetchedProperties)
    where other != property {
      propertyName = property.name
      compare(other, with: property)
    }
  }

  private mutating func compareIndexes(_ found: EntityDescription, _ entity: EntityDescription) {
    let superentity = entity.superentityName.flatMap { model[$0] }
    if found.compoundIndexes != entity.compoundIndexes {
      let own = SourceModelWriter.own(entity.compoundIndexes, superentity?.compoundIndexes)
      note(own == found.compoundIndexes ? .inherited : .addedIndex)
    }
    guard found.fetchIndexes != entity.fetchIndexes else { return }
    let own = SourceModelWriter.own(entity.fetchIndexes, superentity?.fetchIndexes)
    note(.inherited, own != entity.fetchIndexes)
    let isWhole = own.allSatisfy { found.fetchIndexes.contains($0) }
    note(isWhole ? .addedIndex : .predicate, found.fetchIndexes != own)
  }

  private mutating func compare(
    _ found: AttributeDescription, with attribute: AttributeDescription
  ) {
    if found.defaultValue != attribute.defaultValue {
      let isForm =
        switch (found.defaultValue, attribute.defaultValue) {
        case (.bool(let value)?, .integer(let number)?): number == (value ? 1 : 0)
        default: false
        }
      note(isForm ? .defaultForm : .defaultValue)
    }
    note(.validation, found.validationPredicates != attribute.validationPredicates)
    note(.valueClass, found.valueClassName != attribute.valueClassName)
    note(.readOnly, found.isReadOnly != attribute.isReadOnly)
    note(.derivation, found.derivation != attribute.derivation)
    note(.userInfo, found.userInfo != attribute.userInfo)
    note(.addedIndex, found.isIndexed != attribute.isIndexed)
    for (other, element) in zip(found.elements, attribute.elements) where other != element {
      compare(other, with: element)
    }
    var rest = found
    rest.defaultValue = attribute.defaultValue
    rest.validationPredicates = attribute.validationPredicates
    rest.valueClassName = attribute.valueClassName
    rest.isReadOnly = attribute.isReadOnly
    rest.derivation = attribute.derivation
    rest.userInfo = attribute.userInfo
    rest.isIndexed = attribute.isIndexed
    if found.elements.map(\.name) == attribute.elements.map(\.name) {
      rest.elements = attribute.elements
    }
    note(.other, rest != attribute)
  }

  private mutating func compare(
    _ found: RelationshipDescription, with relationship: RelationshipDescription
  ) {
    note(.validation, found.validationPredicates != relationship.validationPredicates)
    note(.readOnly, found.isReadOnly != relationship.isReadOnly)
    note(.userInfo, found.userInfo != relationship.userInfo)
    var rest = found
    rest.validationPredicates = relationship.validationPredicates
    rest.isReadOnly = relationship.isReadOnly
    rest.userInfo = relationship.userInfo
    note(.other, rest != relationship)
  }

  private mutating func compare(
    _ found: FetchedPropertyDescription, with property: FetchedPropertyDescription
  ) {
    note(.predicate, found.predicate != property.predicate)
    note(.sortOrder, found.sortDescriptors != property.sortDescriptors)
    note(.userInfo, found.userInfo != property.userInfo)
    var rest = found
    rest.predicate = property.predicate
    rest.sortDescriptors = property.sortDescriptors
    rest.userInfo = property.userInfo
    note(.other, rest != property)
  }
}
