package import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// A property for sorting or grouping objects.
package struct ObjectSortKey: Sendable, Equatable {
  /// The name of an attribute, with the element of a composite one after a dot, or of a to-one
  /// relationship; `tags.@count` for the number of destinations of a to-many one.
  package var property: Name
  /// Whether the greatest value comes first.
  package var isDescending: Bool

  /// Creates a key; by default, the smallest value comes first.
  package init(_ property: Name, isDescending: Bool = false) {
    self.property = property
    self.isDescending = isDescending
  }
}

/// Objects with the same values of some properties.
package struct ObjectGroup: Sendable, Equatable {
  /// The values, in the order of the properties.
  package var values: [ShownValue]
  /// The number of objects.
  package var count: Int
}

/// A property of the objects of a query, checked before any object is read.
struct ShownProperty {
  private let name: Name
  /// The elements of a composite attribute that lead to the value.
  private let path: ArraySlice<Name>
  /// Whether it is the number of destinations of a to-many relationship.
  let isCount: Bool

  /// Finds a property.
  ///
  /// A property of a subentity counts as well. The name of a to-many relationship may mean the number of
  /// destinations without `.@count`.
  ///
  /// - Throws: ``CofferError`` with `no-such-property`, also for a to-many relationship.
  init(
    _ text: Name, of entity: Name, in model: ManagedObjectModel, place: String,
    mayBeCounted: Bool = false
  ) throws(CofferError) {
    let parts = Name.path(text.text, omittingEmptyNames: false)
    let entities = model.tree(of: entity).map(\.name)
    let isCounted = parts.count == 2 ? parts[1] == "@count" : parts.count == 1 && mayBeCounted
    if isCounted,
      entities.contains(where: {
        let found = model.relationship(parts[0], of: $0)?.relationship
        return found?.isToMany == true && found?.isTransient == false
      })
    {
      (name, path, isCount) = (parts[0], [], true)
      return
    }
    let isKnown = entities.contains { name in
      model.lineage(of: name).contains { $0.attribute(at: parts) != nil }
        || parts.count == 1 && model.relationship(text, of: name)?.relationship.isToMany == false
    }
    guard isKnown else {
      let isToMany = entities.contains {
        model.relationship(text, of: $0)?.relationship.isToMany == true
      }
      let names = Set(entities.flatMap { Self.names(of: $0, in: model) })
      let guess = SimilarName.nearest(to: text.text, among: names.sorted())
      throw CofferError(
        .noSuchProperty, path: place,
        detail: "\(entity) has no attribute and no to-one relationship \(text)",
        advice: isToMany
          ? "\(text).@count is the number of its destinations."
          : guess.map { "Did you mean '\($0)'?" })
    }
    (name, path, isCount) = (parts[0], parts.dropFirst(), false)
  }

  private static func names(of entity: Name, in model: ManagedObjectModel) -> [Name] {
    model.allAttributes(of: entity).map(\.name)
      + model.allRelationships(of: entity).filter { !$0.isToMany }.map(\.name)
  }

  /// The value of an object; for a relationship, the ID of the destination.
  func value(of object: ShownObject) -> ShownValue {
    if let attribute = object.attributes.first(where: { $0.name == name }) {
      return path.reduce(attribute.value) { value, element in
        guard case .composite(let elements) = value else { return .none }
        return elements.first { $0.name == element }?.value ?? .none
      }
    }
    let relationship = object.relationships.first { $0.name == name }
    if isCount { return relationship.map { .integer(Int64($0.count)) } ?? .none }
    return relationship?.destinations.first.map { .text($0.description) } ?? .none
  }

  /// The name of the required attribute or relationship.
  var neededName: Name { name }
}

extension ShownValue {
  /// Whether a value comes before another: missing values first, then numbers and dates (those of
  /// years that ISO 8601 lacks are numbers), then texts by their code units, as SQLite sorts them.
  ///
  /// - Returns: nil if neither comes first.
  static func precedes(_ first: ShownValue, _ second: ShownValue) -> Bool? {
    let (one, other) = (first.sortPosition, second.sortPosition)
    if one.rank != other.rank { return one.rank < other.rank }
    if one.number != other.number { return one.number < other.number }
    if one.integer != other.integer { return one.integer < other.integer }
    guard !one.text.hasSameBytes(as: other.text) else { return nil }
    return codeUnitsAscend(one.text, other.text)
  }

  /// Whether some values come before others, nil if all are equal: the first that differ decide.
  static func precedes(
    _ first: [ShownValue], _ second: [ShownValue], descending: Set<Int> = []
  ) -> Bool? {
    for (place, (one, other)) in zip(first, second).enumerated() {
      if let precedes = precedes(one, other) { return precedes != descending.contains(place) }
    }
    return nil
  }

  /// The integer distinguishes large ones that are the same floating point number.
  private var sortPosition: (rank: Int, number: Double, integer: Int64, text: String) {
    switch self {
    case .none: (0, 0, 0, "")
    case .bool(let value): (1, value ? 1 : 0, value ? 1 : 0, "")
    case .integer(let number): (1, Double(number), number, "")
    case .real(let number): (1, number, Int64(exactly: number) ?? 0, "")
    case .date(let text):
      ShownValue.real(Instant.Stored.seconds(of: text) ?? 0).sortPosition
    case .text(let text), .file(let text): (3, 0, 0, text)
    case .data(let count): (4, Double(count), 0, "")
    case .content(let content): (4, Double(content.count), 0, "")
    case .tree, .composite: (5, 0, 0, "")
    }
  }
}

/// Objects in an order other than by key, limited to the first ones if there is a limit.
struct SortedObjects {
  private let keys: [(property: ShownProperty, isDescending: Bool)]
  private let limit: Int?
  private var found: [(values: [ShownValue], object: ShownObject)] = []

  /// Keeps objects up to a limit, all without one, by properties of which the first is the most important.
  init(_ keys: [(property: ShownProperty, isDescending: Bool)], limit: Int?) {
    self.keys = keys
    self.limit = limit
  }

  /// Adds an object; objects with equal values keep the order in which they were added.
  mutating func add(_ object: ShownObject) {
    found.append((keys.map { $0.property.value(of: object) }, object))
    // Twice the requested number is sorted at a time, so that each object costs little.
    if let limit, found.count >= max(64, limit.multipliedReportingOverflow(by: 2).partialValue) {
      sort()
    }
  }

  mutating func complete() -> [ShownObject] {
    sort()
    return found.map(\.object)
  }

  private mutating func sort() {
    let descending = Set(keys.indices.filter { keys[$0].isDescending })
    let order = found.indices.sorted { one, other in
      ShownValue.precedes(found[one].values, found[other].values, descending: descending)
        ?? (one < other)
    }
    found = order.prefix(limit ?? .max).map { found[$0] }
  }
}
