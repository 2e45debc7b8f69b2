/// An entity of a managed object model, with its own properties and without inherited ones.
public struct EntityDescription: Sendable, Equatable {
  /// The name, unique in the model.
  public var name: Name
  /// The name of the class of its managed objects; nil if the source does not say.
  public var className: Name?
  /// Whether no object can belong to exactly this entity.
  public var isAbstract: Bool
  /// The name of the superentity, or nil for a root entity.
  public var superentityName: Name?
  /// The attributes that the entity itself declares, in ascending order of names.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity itself declares, in ascending order of names.
  public var relationships: [RelationshipDescription]
  /// The fetched properties that the entity itself declares, in ascending order of names.
  package var fetchedProperties: [FetchedPropertyDescription]
  /// The uniqueness constraints, including inherited ones if the source lists them.
  public var uniquenessConstraints: [[Name]]
  /// The compound indexes, which models had before fetch indexes existed.
  public var compoundIndexes: [[Name]]
  /// The fetch indexes, including inherited ones if the source lists them.
  package var fetchIndexes: [FetchIndexDescription]
  /// The name of the entity in an older model, if it is different; nil otherwise.
  public var renamingIdentifier: Name?
  /// The modifier that is part of the version hash, or nil.
  public var versionHashModifier: Name?
  /// The user info dictionary; empty if there is none.
  public var userInfo: [Name: ModelValue]

  /// Creates an entity; properties are sorted by name.
  ///
  /// If only the name of a fetched property is known, pass its name. If you pass both a name and a
  /// description, the description is used.
  package init(
    name: Name,
    className: Name? = nil,
    isAbstract: Bool = false,
    superentityName: Name? = nil,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    fetchedPropertyNames: [Name] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    uniquenessConstraints: [[Name]] = [],
    compoundIndexes: [[Name]] = [],
    fetchIndexes: [FetchIndexDescription] = [],
    renamingIdentifier: Name? = nil,
    versionHashModifier: Name? = nil,
    userInfo: [Name: ModelValue] = [:]
  ) {
    self.name = name
    self.className = className
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.attributes = attributes.sorted { $0.name < $1.name }
    self.relationships = relationships.sorted { $0.name < $1.name }
    let described = Set(fetchedProperties.map(\.name))
    let named = fetchedPropertyNames.filter { !described.contains($0) }
      .map { FetchedPropertyDescription(name: $0) }
    self.fetchedProperties = (fetchedProperties + named).sorted {
      $0.name < $1.name
    }
    self.uniquenessConstraints = uniquenessConstraints
    self.compoundIndexes = compoundIndexes
    self.fetchIndexes = fetchIndexes
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// The names of the fetched properties that the entity itself declares, sorted.
  public var fetchedPropertyNames: [Name] { fetchedProperties.map(\.name) }

  /// The attribute of that name that the entity itself declares; nil if there is none.
  package func attribute(_ name: Name) -> AttributeDescription? {
    attributes.element(named: name, \.name)
  }

  /// The attribute at a path from the entity that declares it, such as `address` and `city`: each name
  /// after the first is an element of the composite attribute before; nil if there is none, or no name.
  package func attribute(at path: some Sequence<Name>) -> AttributeDescription? {
    var names = path.makeIterator()
    var found = names.next().flatMap { attribute($0) }
    while let name = names.next() {
      found = found?.elements.first { $0.name == name }
    }
    return found
  }

  /// The relationship of that name that the entity itself declares; nil if there is none.
  package func relationship(_ name: Name) -> RelationshipDescription? {
    relationships.element(named: name, \.name)
  }
}

extension Array {
  /// The element with a name, found by binary search, because a hostile model may have any number
  /// of properties.
  ///
  /// The list is in ascending order of names unless someone changed it. In that case, and if there
  /// is no such name, every element is checked.
  fileprivate func element(named name: Name, _ nameOf: (Element) -> Name) -> Element? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if nameOf(self[middle]) < name { low = middle + 1 } else { high = middle }
    }
    if low < endIndex, nameOf(self[low]) == name { return self[low] }
    return first { nameOf($0) == name }
  }
}

/// The version hash of an entity: 32 bytes that Core Data compares to distinguish models.
///
/// How Core Data computes it is not public (store-format, section 9), so it can only be copied.
package struct VersionHash: Sendable, Hashable {
  /// The bytes: 32 of them in every known store.
  package let bytes: [UInt8]
  /// Creates a hash from its bytes, of any number.
  package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A fetch index of an entity.
package struct FetchIndexDescription: Sendable, Equatable {
  /// The name, unique within the entity.
  package var name: Name
  /// The elements in order.
  package var elements: [Element]
  /// The predicate of a partial index, or nil.
  package var partialIndexPredicate: ModelPredicate?

  /// Creates a fetch index with its elements in order.
  package init(name: Name, elements: [Element], partialIndexPredicate: ModelPredicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }

  /// One element of a fetch index.
  package struct Element: Sendable, Equatable {
    /// The indexed property; nil if the element is an expression.
    package var propertyName: Name?
    /// The indexed expression, such as `SELF` or `entity`; nil if the element is a property.
    package var expression: ModelExpression?
    /// Whether the order is ascending.
    package var isAscending: Bool
    /// Core Data's number for the kind: 0 is binary; 1 is believed to be an R-tree.
    package var kind: Int

    /// Creates an element for a property or an expression.
    package init(
      propertyName: Name?, expression: ModelExpression? = nil, isAscending: Bool = true,
      kind: Int = 0
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.isAscending = isAscending
      self.kind = kind
    }
  }
}
