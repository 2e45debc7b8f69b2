/// A fetched property of an entity: a request that is run when the property is read.
///
/// It has no column. Only what an archived model says of the request is kept.
public struct FetchedPropertyDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The name of the entity that is fetched, or nil when the source does not tell.
  public var fetchedEntityName: String?
  /// The condition that the objects meet, or nil for all objects.
  public var predicate: ModelPredicate?
  /// The order of the objects; empty when they have none.
  public var sortDescriptors: [SortDescriptor]
  /// The most objects that are fetched; 0 for no limit.
  public var fetchLimit: Int
  /// Whether it may be empty.
  public var isOptional: Bool
  /// The name of the property in an older model, where it differs; nil otherwise.
  public var renamingIdentifier: String?
  /// The modifier that enters the version hash, or nil.
  public var versionHashModifier: String?
  /// The user info dictionary; empty when there is none.
  public var userInfo: [ExactString: ModelValue]

  /// Creates a fetched property.
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

  /// One criterion of an order.
  public struct SortDescriptor: Sendable, Equatable {
    /// The key path that is compared; nil compares the objects themselves.
    public var key: String?
    /// Whether the order is ascending.
    public var isAscending: Bool
    /// The selector that compares, such as `compare:`; nil for one that is not archived.
    public var selectorName: String?

    /// Creates a criterion.
    public init(key: String?, isAscending: Bool = true, selectorName: String? = "compare:") {
      self.key = key
      self.isAscending = isAscending
      self.selectorName = selectorName
    }
  }
}
