internal import CoreDataModel

/// The sources of a relationship's references, and which of them are carried over.
extension TransferPlanner {
  /// The source of a relationship's references in the new model, from one of its entities; nil if
  /// they are new.
  func link(_ place: PropertyReference, of member: Member) -> SourceLink? {
    guard let property = property(place, of: member) else { return nil }
    if let origin = property.source { return links.forward(PropertyReference(origin)) }
    guard let inverse = inverse(of: place), let origins = origins[inverse], origins.count == 1,
      let origin = origins.first
    else { return nil }
    return links.backward(origin)
  }

  /// The inverse of a relationship of the new model.
  func inverse(of place: PropertyReference) -> PropertyReference? {
    guard let relationship = mapping.destination[place.entity]?.relationship(place.property),
      let inverse = mapping.destination.inverse(of: relationship)
    else { return nil }
    return PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)
  }

  /// The source of all references of a relationship, from its own objects; nil if they are new, or
  /// come from several sources, which is recorded.
  mutating func link(_ place: PropertyReference) -> SourceLink? {
    if let origins = origins[place], !origins.isEmpty {
      guard origins.count == 1, let origin = origins.first else {
        note(.notSupported, place, "it comes from several relationships of the old model")
        return nil
      }
      return links.forward(origin)
    }
    guard let inverse = inverse(of: place), let origins = origins[inverse], !origins.isEmpty else {
      return nil
    }
    guard origins.count == 1, let origin = origins.first else {
      note(.notSupported, place, "its inverse comes from several relationships of the old model")
      return nil
    }
    return links.backward(origin)
  }

  /// The numbers of the far objects that a relationship may lead to in the new model.
  func allowedNumbers(of place: PropertyReference) -> Set<Int64> {
    guard let relationship = mapping.destination[place.entity]?.relationship(place.property) else {
      return []
    }
    return oldNumbers(below: relationship.destinationName)
  }

  /// A condition that excludes references to objects that are not carried over.
  ///
  /// It is nil if there are none. References to missing objects are kept.
  func restriction(
    _ key: String, in table: EntityTable, below entity: String, to allowed: Set<Int64>
  ) -> String? {
    guard !numbers(below: entity).isSubset(of: allowed) else { return nil }
    return "NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(table.tableName)) AS f WHERE "
      + "f.\(Self.primaryKey) = \(key) AND f.\(Self.entityNumber) NOT IN (\(Self.list(allowed))))"
  }

  /// The condition for the rows of the far table that are carried over; nil if all are.
  func restriction(_ link: SourceLink, rows alias: String, to allowed: Set<Int64>) -> String? {
    guard !numbers(below: link.farEntity).isSubset(of: allowed) else { return nil }
    return "\(alias).\(Self.entityNumber) IN (\(Self.list(allowed)))"
  }
}
