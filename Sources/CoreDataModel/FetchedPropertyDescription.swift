/// A fetched property of an entity: a fetch request that runs when the property is read.
///
/// It has no column. Only the parts of the request that an archived model contains are kept.
package struct FetchedPropertyDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  package var name: Name
  /// The name of the fetched entity, or nil if the source does not say.
  package var fetchedEntityName: Name?
  /// The predicate of the request, or nil for all objects.
  package var predicate: ModelPredicate?
  /// The sort descriptors; empty if the objects have no order.
  package var sortDescriptors: [SortDescriptor]
  /// The maximum number of objects; 0 for no limit.
  package var fetchLimit: Int
  /// Whether it may be empty.
  package var isOptional: Bool
  /// The name of the property in an older model, if it is different; nil otherwise.
  package var renamingIdentifier: Name?
  /// The modifier that is part of the version hash, or nil.
  package var versionHashModifier: Name?
  /// The user info dictionary; empty if there is none.
  package var userInfo: [Name: ModelValue]

  /// Creates a fetched property that is optional and fetches all objects, unless you say otherwise.
  package init(
    name: Name,
    fetchedEntityName: Name? = nil,
    predicate: ModelPredicate? = nil,
    sortDescriptors: [SortDescriptor] = [],
    fetchLimit: Int = 0,
    isOptional: Bool = true,
    renamingIdentifier: Name? = nil,
    versionHashModifier: Name? = nil,
    userInfo: [Name: ModelValue] = [:]
  ) {
    self.name = name
    self.fetchedEntityName = fetchedEntityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
    self.isOptional = isOptional
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// A sort descriptor.
  package struct SortDescriptor: Sendable, Equatable {
    /// The key path that is compared; nil compares the objects themselves.
    package var key: Name?
    /// Whether the order is ascending.
    package var isAscending: Bool
    /// The selector that compares, such as `compare:`; nil if none is archived.
    package var selectorName: Name?

    /// Creates a sort descriptor, ascending by default.
    package init(key: Name?, isAscending: Bool = true, selectorName: Name? = "compare:") {
      self.key = key
      self.isAscending = isAscending
      self.selectorName = selectorName
    }
  }
}
