internal import CoreDataModel
internal import CoreDataStore

extension ManagedObjectModel {
  /// The model without the parts that only its authors and the app need.
  ///
  /// These are version identifiers, the predicates of fetched properties, and user info except Core
  /// Data's own. The version hashes do not depend on them.
  var withoutNotes: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities.map(Self.withoutNotes),
      versionIdentifiers: versionIdentifiers.isEmpty ? [] : [""],
      configurations: configurations, source: source)
  }

  private static func withoutNotes(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    entity.userInfo = entity.userInfo.filter(isOfFramework)
    entity.attributes = entity.attributes.map(withoutNotes)
    for index in entity.relationships.indices {
      entity.relationships[index].userInfo = entity.relationships[index].userInfo
        .filter(isOfFramework)
    }
    for index in entity.fetchedProperties.indices {
      entity.fetchedProperties[index].userInfo = [:]
      entity.fetchedProperties[index].predicate = nil
    }
    return entity
  }

  private static func withoutNotes(_ attribute: AttributeDescription) -> AttributeDescription {
    var attribute = attribute
    attribute.userInfo = attribute.userInfo.filter(isOfFramework)
    attribute.elements = attribute.elements.map(withoutNotes)
    return attribute
  }

  /// Whether an entry of user info is for Core Data, which turns it into indexes and triggers.
  private static func isOfFramework(_ entry: (key: Name, value: ModelValue)) -> Bool {
    frameworkKeys.contains(entry.key)
  }

  private static let frameworkKeys: Set<Name> = [
    "NSTriggerKey", "_NSEntityOmitSubentityColumnIndex", AttributeDescription.spatialKey,
  ]
}
