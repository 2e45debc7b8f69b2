/// A fetched property of an entity: a fetch request that runs when the property is read.
///
/// It has no column. Only the parts of the request that an archived model contains are kept.
public struct FetchedPropertyDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  @Exact public var name: String
  /// The name of the fetched entity, or nil if the source does not say.
  @Exact public var fetchedEntityName: String?
  /// The predicate of the request, or nil for all objects.
  public var predicate: ModelPredicate?
  /// The sort descriptors; empty if the objects have no order.
  public var sortDescriptors: [SortDescriptor]
  /// The maximum number of objects; 0 for no limit.
  public var fetchLimit: Int
  /// Whether it may be empty.
  public var isOptional: Bool
  /// The name of the property in an older model, if it is different; nil otherwise.
  @Exact public var renamingIdentifier: String?
  /// The modifier that is part of the version hash, or nil.
  @Exact public var versionHashModifier: String?
  /// The user info dictionary; empty if there is none.
  public var userInfo: [ExactString: ModelValue]

  /// Creates a fetched property that is optional and fetches all objects, unless you say otherwise.
  public init(
    name: String,
    fetchedEntityName: String? = nil,
    predicate: ModelPredicate? = nil,
    sortDescriptors: [SortDescriptor] = [],
    fetchLimit: Int = 0,
    isOptional: Bool = true,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [ExactString: ModelValue] = [:]
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
  public struct SortDescriptor: Sendable, Equatable {
    /// The key path that is compared; nil compares the objects themselves.
    @Exact public var key: String?
    /// Whether the order is ascending.
    public var isAscending: Bool
    /// The selector that compares, such as `compare:`; nil if none is archived.
    @Exact public var selectorName: String?

    /// Creates a sort descriptor, ascending by default.
    public init(key: String?, isAscending: Bool = true, selectorName: String? = "compare:") {
      self.key = key
      self.isAscending = isAscending
      self.selectorName = selectorName
    }
  }
}
