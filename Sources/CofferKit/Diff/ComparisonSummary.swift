/// What a comparison found, in numbers.
public struct ComparisonSummary: Sendable, Equatable {
  /// How many things were added, removed and changed.
  public struct Counts: Sendable, Equatable {
    /// How many only the second source has.
    public var added = 0
    /// How many only the first source has.
    public var removed = 0
    /// How many both have, and not the same.
    public var changed = 0

    /// How many there are together.
    public var total: Int { added + removed + changed }

    mutating func add(_ kind: ChangeKind) {
      switch kind {
      case .added: added += 1
      case .removed: removed += 1
      case .changed: changed += 1
      }
    }
  }

  /// The differences of an entity's objects.
  public struct EntityCounts: Sendable, Equatable {
    /// The entity: that of the second source, or of the first where an object was removed.
    public var entityName: String
    /// How many objects differ.
    public var counts: Counts
  }

  /// The differences of a many-to-many relationship's pairs.
  public struct RelationshipCounts: Sendable, Equatable {
    /// The entity that declares the relationship.
    public var entityName: String
    /// The name of the relationship.
    public var relationshipName: String
    /// How many pairs differ.
    public var counts: Counts
  }

  /// How many objects a root entity and all below it have on both sides.
  struct RootCounts: Sendable, Equatable {
    var name: String
    var first: Int
    var second: Int
  }

  /// Whether the first source is a store or an archive.
  public var firstKind: SourceKind
  /// Whether the second source is a store or an archive.
  public var secondKind: SourceKind
  /// How many objects the first source has.
  public var firstObjectCount = 0
  /// How many objects the second source has.
  public var secondObjectCount = 0
  /// The entities with objects that differ, in ascending order of names.
  public var entities: [EntityCounts] = []
  /// The relationships with pairs that differ, in the order in which they were compared.
  public var relationships: [RelationshipCounts] = []
  /// The tables beside the objects with rows that differ, in ascending order of names.
  public var tables: [RowDifferences] = []
  /// The files of external binary data.
  public var externalData = Counts()
  /// What differs of the stores themselves: UUID, metadata, model, counters, settings, schema.
  public var store = Counts()

  /// The root entities that both sides have, but for those that are known to be the same.
  var rootCounts: [RootCounts] = []

  /// The objects of all entities.
  public var objects: Counts {
    entities.reduce(into: Counts()) {
      $0.added += $1.counts.added
      $0.removed += $1.counts.removed
      $0.changed += $1.counts.changed
    }
  }

  /// The pairs of all many-to-many relationships.
  public var pairs: Counts {
    relationships.reduce(into: Counts()) {
      $0.added += $1.counts.added
      $0.removed += $1.counts.removed
      $0.changed += $1.counts.changed
    }
  }

  /// Whether nothing at all differs.
  public var isEqual: Bool {
    entities.isEmpty && relationships.isEmpty && tables.isEmpty && externalData.total == 0
      && store.total == 0
  }
}
