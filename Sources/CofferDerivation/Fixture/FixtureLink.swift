internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A relationship to fill, once for both of its sides.
struct FixtureLink {
  /// Where it is stored.
  enum Place: Hashable {
    /// In the reference with this index: each member has at most one owner.
    case reference(Int)
    case pairs(Int)
  }

  /// Where it is stored.
  let place: Place
  /// The name of the relationship, as `Entity.relationship`.
  let name: Name
  /// The name of its inverse; nil for none.
  let inverseName: Name?
  /// The entity of the objects whose records contain the references.
  let members: Name
  let owners: Name
  let memberBounds: FixtureBounds
  private(set) var ownerBounds: FixtureBounds
  /// Whether it is its own inverse.
  let isReflexive: Bool

  /// Allows each owner one member only.
  mutating func makeUnique() { (ownerBounds.least, ownerBounds.most) = (1, 1) }

  /// All relationships of a store that can connect objects.
  static func all(in schema: EditedSchema, _ model: ManagedObjectModel) -> [FixtureLink] {
    let references = schema.references.indices.compactMap { reference($0, schema, model) }
    return references
      + schema.pairs.enumerated().compactMap { index, pairs in
        guard let end = pairs.ends.first, let other = pairs.ends.last else { return nil }
        return FixtureLink(
          .pairs(index), end.property, other.relationship, to: end.relationship,
          other.property.entity, model, isReflexive: pairs.isReflexive)
      }
  }

  private static func reference(
    _ index: Int, _ schema: EditedSchema, _ model: ManagedObjectModel
  ) -> FixtureLink? {
    let found = schema.references[index]
    switch schema.tables[found.table].columns[found.column].role {
    case .toOne(let name, let entity):
      guard let relationship = found.relationship else { return nil }
      if let partner = found.partner, partner != index,
        isBetter(partner, than: index, schema)
      {
        return nil
      }
      return FixtureLink(
        .reference(index), PropertyReference(entity: entity, property: name),
        found.inverse?.relationship, to: relationship, found.inverse?.entity, model,
        isReflexive: found.partner == index)
    case .owner(let entity, let name):
      guard let relationship = found.inverse?.relationship else { return nil }
      return FixtureLink(
        place: .reference(index), name: "\(entity).\(name)", inverseName: nil,
        members: relationship.destinationName, owners: entity,
        memberBounds: .oneAtMost, ownerBounds: FixtureBounds(relationship),
        isReflexive: false)
    default: return nil
    }
  }

  /// Whether to fill a one-to-one relationship from its other side, because that side is required.
  private static func isBetter(_ partner: Int, than index: Int, _ schema: EditedSchema) -> Bool {
    let isOptional = [index, partner].map {
      schema.references[$0].relationship?.isOptional ?? true
    }
    return isOptional[0] == isOptional[1] ? partner < index : isOptional[0]
  }
}

extension FixtureLink {
  /// A relationship with its inverse, whose objects may be of subentities only.
  private init?(
    _ place: Place, _ property: PropertyReference, _ inverse: RelationshipDescription?,
    to relationship: RelationshipDescription, _ inverseEntity: Name?,
    _ model: ManagedObjectModel, isReflexive: Bool
  ) {
    guard
      let members = Self.narrower(property.entity, inverse?.destinationName, model),
      let owners = Self.narrower(relationship.destinationName, inverseEntity, model)
    else { return nil }
    self.init(
      place: place, name: "\(property.entity).\(property.property)",
      inverseName: inverse.map { "\(inverseEntity ?? "").\($0.name)" }, members: members,
      owners: owners, memberBounds: FixtureBounds(relationship),
      ownerBounds: FixtureBounds(inverse), isReflexive: isReflexive)
  }

  /// The one of two entities that is below the other; nil if neither is.
  private static func narrower(
    _ entity: Name, _ other: Name?, _ model: ManagedObjectModel
  ) -> Name? {
    guard let other else { return entity }
    if model.isEntity(entity, kindOf: other) { return entity }
    return model.isEntity(other, kindOf: entity) ? other : nil
  }
}

/// The number of destinations that an object can have in a relationship.
struct FixtureBounds: Equatable {
  /// The minimum for an object that has any.
  var least: Int
  /// The largest number.
  var most: Int
  /// Whether an object can have none.
  var mayBeEmpty: Bool

  /// The bounds of a relationship; unlimited for nil, a relationship that the model does not have.
  init(_ relationship: RelationshipDescription?) {
    least = max(1, relationship?.isToMany == true ? relationship?.minCount ?? 1 : 1)
    let largest = relationship?.maxCount ?? 0
    most = largest > 0 ? max(least, largest) : .max
    mayBeEmpty = relationship?.isOptional ?? true
  }

  /// The bounds of objects that can belong to at most one other object.
  static let oneAtMost = FixtureBounds(RelationshipDescription(name: "", destinationName: ""))

  /// The number of objects that can have destinations, for a number of these; nil for any.
  func limit(with count: Int, _ inverse: FixtureBounds) -> Int? {
    if mayBeEmpty { return nil }
    if count < least { return 0 }
    let (places, isBeyond) = count.multipliedReportingOverflow(by: inverse.most)
    return isBeyond ? nil : places / least
  }
}
