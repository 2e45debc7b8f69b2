public import CofferCore

/// The number of differences that a comparison found.
public struct ComparisonSummary: Sendable, Equatable {
  /// The numbers of added, removed and changed items.
  public struct Counts: Sendable, Equatable {
    /// The number of items that only the second source has.
    public var added = 0
    /// The number of items that only the first source has.
    public var removed = 0
    /// The number of items that differ between the sources.
    public var changed = 0

    package init() {}

    /// The sum of all three.
    public var total: Int { added + removed + changed }

    package mutating func add(_ kind: ChangeKind) {
      switch kind {
      case .added: added += 1
      case .removed: removed += 1
      case .changed: changed += 1
      }
    }

    package static func + (first: Counts, second: Counts) -> Counts {
      var sum = first
      sum.added += second.added
      sum.removed += second.removed
      sum.changed += second.changed
      return sum
    }
  }

  /// The number of differing objects of an entity.
  public struct EntityCounts: Sendable, Equatable {
    /// The entity in the second source, or in the first for removed objects.
    public var entityName: Name
    /// The number of differing objects.
    public var counts: Counts

    package init(entityName: Name, counts: Counts) {
      self.entityName = entityName
      self.counts = counts
    }
  }

  /// The number of differing pairs of a many-to-many relationship.
  package struct RelationshipCounts: Sendable, Equatable {
    /// The entity that declares the relationship.
    package var entityName: Name
    /// The name of the relationship.
    package var relationshipName: Name
    /// The number of differing pairs.
    package var counts: Counts

    package init(entityName: Name, relationshipName: Name, counts: Counts) {
      self.entityName = entityName
      self.relationshipName = relationshipName
      self.counts = counts
    }
  }

  /// The number of objects of a root entity and its subentities on both sides.
  package struct RootCounts: Sendable, Equatable {
    var name: Name
    var first: Int
    var second: Int
    /// The number that only the first side has.
    var removed: Int
  }

  /// Whether the first source is a store or an archive.
  public var firstKind: SourceKind
  /// Whether the second source is a store or an archive.
  public var secondKind: SourceKind
  /// The content digest of the first source, if it is an archive: the digits of its index.
  public var firstContentDigest: String?
  /// The content digest of the second source, if it is an archive.
  public var secondContentDigest: String?
  /// The number of objects in the first source.
  public var firstObjectCount = 0
  /// The number of objects in the second source.
  public var secondObjectCount = 0
  /// The entities with differing objects, sorted by name.
  public var entities: [EntityCounts] = []
  /// The relationships with differing pairs, in the order in which they were compared.
  package var relationships: [RelationshipCounts] = []
  /// Other tables with differing rows, sorted by name.
  public var tables: [RowDifferences] = []
  /// The differing files of external binary data.
  public var externalData = Counts()
  /// The differences of the stores themselves: UUID, metadata, model, counters, settings, schema.
  public var store = Counts()

  /// The matching of the objects of the compared entities that both sources have, sorted by name.
  package var matching: [EntityMatching] = []
  /// The obstacle that hides external files of the first source, so that they were not compared,
  /// with the reason; nil for none.
  public var firstScreen: String?
  /// The obstacle that hides external files of the second source.
  public var secondScreen: String?
  /// Whether the sources have different store UUIDs, but objects were matched by their primary keys
  /// because nothing else identifies them.
  public var matchesKeysOfDifferentStores = false

  /// The root entities that both sides have, except entities known to be equal.
  var rootCounts: [RootCounts] = []

  /// A summary without differences.
  package init(firstKind: SourceKind, secondKind: SourceKind) {
    self.firstKind = firstKind
    self.secondKind = secondKind
  }

  /// The differing objects of all entities.
  public var objects: Counts {
    entities.reduce(Counts()) { $0 + $1.counts }
  }

  /// The differing pairs of all many-to-many relationships.
  public var pairs: Counts {
    relationships.reduce(Counts()) { $0 + $1.counts }
  }

  /// Whether there are no differences.
  public var isEqual: Bool {
    entities.isEmpty && relationships.isEmpty && tables.isEmpty && externalData.total == 0
      && store.total == 0
  }
}
