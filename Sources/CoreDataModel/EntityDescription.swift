/// An entity of a managed object model: its own properties, without those that it inherits.
public struct EntityDescription: Sendable, Equatable {
  /// The name, unique in the model.
  public var name: String
  /// The name of the class of its managed objects; nil when the source does not tell.
  public var className: String?
  /// Whether no object can be of exactly this entity.
  public var isAbstract: Bool
  /// The name of the entity that it inherits from, or nil for a root entity.
  public var superentityName: String?
  /// The attributes that the entity itself declares, in ascending order of names.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity itself declares, in ascending order of names.
  public var relationships: [RelationshipDescription]
  /// The fetched properties that the entity itself declares, in ascending order of names.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// The uniqueness constraints, inherited ones included where the source lists them.
  public var uniquenessConstraints: [[String]]
  /// The compound indexes of models before fetch indexes existed.
  public var compoundIndexes: [[String]]
  /// The fetch indexes, inherited ones included where the source lists them.
  public var fetchIndexes: [FetchIndexDescription]
  /// The name of the entity in an older model, where it differs; nil otherwise.
  public var renamingIdentifier: String?
  /// The modifier that enters the version hash, or nil.
  public var versionHashModifier: String?
  /// The user info dictionary; empty when there is none.
  public var userInfo: [ExactString: ModelValue]

  /// Creates an entity; properties are sorted by name.
  ///
  /// Fetched properties of which no more than the name is known can be given by their names; of a
  /// name that is given both ways, the description counts.
  public init(
    name: String,
    className: String? = nil,
    isAbstract: Bool = false,
    superentityName: String? = nil,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    fetchedPropertyNames: [String] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    uniquenessConstraints: [[String]] = [],
    compoundIndexes: [[String]] = [],
    fetchIndexes: [FetchIndexDescription] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [ExactString: ModelValue] = [:]
  ) {
    self.name = name
    self.className = className
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.attributes = attributes.sorted { codeUnitsAscend($0.name, $1.name) }
    self.relationships = relationships.sorted { codeUnitsAscend($0.name, $1.name) }
    let described = Set(fetchedProperties.map(\.name))
    let named = fetchedPropertyNames.filter { !described.contains($0) }
      .map { FetchedPropertyDescription(name: $0) }
    self.fetchedProperties = (fetchedProperties + named).sorted {
      codeUnitsAscend($0.name, $1.name)
    }
    self.uniquenessConstraints = uniquenessConstraints
    self.compoundIndexes = compoundIndexes
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// The names of the fetched properties that the entity itself declares, sorted.
  public var fetchedPropertyNames: [String] { fetchedProperties.map(\.name) }
}
