internal import CoreDataModel

/// The properties of an entity whose changes Core Data counts in the version counter of the object.
///
/// It counts a save of the object's own attributes and of its to-one relationships; a change from the
/// relationship's other end, such as a deletion that nullifies it, is a change of both. It does not
/// count what it writes into the object's row for the sake of others: positions in ordered
/// relationships, owners in relationships without inverse, and what triggers compute. A property that
/// one of two models lacks or that is of another kind there was changed by the migration, which does
/// not count either.
struct CountedProperties {
  private let attributes: Set<ExactString>
  private let relationships: Set<ExactString>

  /// Finds the properties that an entity has in both models.
  init(of entity: String, _ older: ManagedObjectModel, _ newer: ManagedObjectModel) {
    let before = Dictionary(
      older.allAttributes(of: entity).map { (ExactString($0.name), $0) }
    ) { $1 }
    attributes =
      newer.allAttributes(of: entity).filter { attribute in
        guard let old = before[attribute.name] else { return false }
        return Self.isCounted(attribute) && Self.isCounted(old) && old.type == attribute.type
      }.map(\.name).exactStrings
    let known = Dictionary(
      older.allRelationships(of: entity).map { (ExactString($0.name), $0) }
    ) { $1 }
    relationships =
      newer.allRelationships(of: entity).filter {
        guard let old = known[$0.name] else { return false }
        return !$0.isToMany && !old.isToMany && old.destinationName == $0.destinationName
      }.map(\.name).exactStrings
  }

  /// Whether a difference should have been counted.
  func contains(_ difference: PropertyDifference) -> Bool {
    switch difference.subject {
    case .attribute:
      // Elements of composite attributes stand behind a point.
      attributes.contains(String(difference.name.prefix { $0 != "." }))
    case .relationship: relationships.contains(difference.name)
    case .entity: true
    case .order, .owner, .version, .column: false
    }
  }

  /// The user info of an attribute that a trigger counts, as Photos has them.
  private static let triggerKey = "NSTriggerKey"

  private static func isCounted(_ attribute: AttributeDescription) -> Bool {
    !attribute.isDerived && attribute.userInfo[triggerKey] == nil
  }
}
