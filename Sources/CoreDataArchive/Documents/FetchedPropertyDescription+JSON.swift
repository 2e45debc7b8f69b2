internal import CoreDataModel

extension JSONValue {
  /// A fetched property of an entity.
  init(_ property: FetchedPropertyDescription) {
    var object = JSONObject()
    object.append("name", property.name)
    object.append("fetchedEntity", property.fetchedEntityName)
    object.append("predicate", property.predicate.map { JSONValue($0) })
    object.append("sortDescriptors", property.sortDescriptors) { JSONValue($0) }
    object.append("fetchLimit", property.fetchLimit, unless: 0)
    object.append("isOptional", property.isOptional, unless: true)
    object.appendShared(
      renaming: property.renamingIdentifier, modifier: property.versionHashModifier,
      userInfo: property.userInfo)
    self = .object(object)
  }

  private init(_ descriptor: FetchedPropertyDescription.SortDescriptor) {
    var object = JSONObject()
    object.append("key", descriptor.key)
    object.append("isAscending", descriptor.isAscending, unless: true)
    object.append("selector", descriptor.selectorName)
    self = .object(object)
  }
}

extension DocumentNode {
  /// The fetched property that this stands for.
  func fetchedProperty() throws(DocumentError) -> FetchedPropertyDescription {
    var property = FetchedPropertyDescription(
      name: try required("name").string(),
      fetchedEntityName: try string("fetchedEntity"),
      predicate: try optional("predicate")?.predicate(),
      fetchLimit: try int("fetchLimit", default: 0),
      isOptional: try flag("isOptional", default: true),
      renamingIdentifier: try string("renamingIdentifier"),
      versionHashModifier: try string("versionHashModifier"),
      userInfo: try userInfo())
    for node in try elements("sortDescriptors") {
      property.sortDescriptors.append(
        FetchedPropertyDescription.SortDescriptor(
          key: try node.string("key"), isAscending: try node.flag("isAscending", default: true),
          selectorName: try node.string("selector")))
    }
    return property
  }
}
