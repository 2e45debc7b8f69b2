/// The objects of an archive to restore, or of a store to merge.
///
/// The objects that they need are added: the destinations of relationships that are not optional,
/// and the objects that those need.
public struct ObjectSelection: Sendable, Equatable {
  /// The entities, each with its subentities; at least one.
  public var entityNames: [Name]
  /// A predicate for the objects of a single entity, in the format of `NSPredicate`; nil for all objects.
  public var condition: String?

  /// Selects the objects of entities that meet a condition.
  public init(entityNames: [Name], condition: String? = nil) {
    self.entityNames = entityNames
    self.condition = condition
  }
}

/// The objects that an import or a merge of some objects took and left out.
public struct SelectionSummary: Sendable, Equatable {
  /// The number of objects that were selected.
  public var selectedCount = 0
  /// The number of other objects that they need.
  public var neededCount = 0
  /// The number of objects that were left out.
  public var omittedCount = 0
  /// The number of relationships with objects that were left out; they are unset, or in a merge as the
  /// store has them.
  public var unsetCount = 0

  package init() {}
}
