/// The source of the values of one property of a new model, for the objects of one entity.
package struct PropertyMapping: Sendable, Hashable {
  /// The kinds of properties.
  package enum Kind: String, Sendable {
    case attribute
    case relationship
  }

  /// A change of a property.
  package enum Change: Sendable, Hashable {
    case renamed
    /// Another entity of the hierarchy declares it.
    case moved
    /// Its values are converted to another type.
    case converted(from: AttributeType, to: AttributeType)
    case madeOptional
    case madeRequired
    case madeToMany
    case madeToOne
    case madeOrdered
    case madeUnordered
    /// It refers to another entity.
    case changedDestination(from: Name, to: Name)
    /// It has another inverse; nil if it no longer has one.
    case changedInverse(from: Name?, to: Name?)
    case allowedExternalStorage
    /// It no longer allows external storage.
    case disallowedExternalStorage
  }

  /// The kind of the property.
  package var kind: Kind
  /// The property of the old model; nil for an added one.
  package var source: PropertyReference?
  /// The property of the new model; nil for a removed one.
  package var destination: PropertyReference?
  /// The changes; empty for a property that is added, removed, or copied without changes.
  package var changes: [Change]

  /// Whether the property is new.
  package var isAdded: Bool { source == nil }
  /// Whether the property was removed.
  package var isRemoved: Bool { destination == nil }
}

extension PropertyMapping.Change: CustomStringConvertible {
  /// The changes, in a few words.
  package var description: String {
    switch self {
    case .renamed: "renamed"
    case .moved: "moved in the hierarchy"
    case .converted(let old, let new):
      (AttributeConversion(from: old, to: new) == nil ? "type changed" : "converted")
        + " from \(old.name) to \(new.name)"
    case .madeOptional: "made optional"
    case .madeRequired: "made required"
    case .madeToMany: "made to-many"
    case .madeToOne: "made to-one"
    case .madeOrdered: "made ordered"
    case .madeUnordered: "made unordered"
    case .changedDestination(let old, let new): "destination changed from \(old) to \(new)"
    case .changedInverse(let old, let new):
      "inverse changed from \(old ?? "none") to \(new ?? "none")"
    case .allowedExternalStorage: "external storage allowed"
    case .disallowedExternalStorage: "external storage no longer allowed"
    }
  }
}
