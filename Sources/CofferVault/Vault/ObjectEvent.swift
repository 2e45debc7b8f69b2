public import CofferComparison
public import CoreDataModel

/// A change of an object between two backups of its store.
public struct ObjectEvent: Sendable, Hashable {
  /// The first backup with the state after it.
  public var backup: Backup
  /// The last backup with the state before it; nil if the object is in the first backup.
  public var previous: Backup?
  /// The kind of change.
  public var kind: ChangeKind
  /// The object, with its entity after it, or before it if it was removed.
  public var objectID: ManagedObjectID
  /// The properties that differ, with their values, sorted by name.
  ///
  /// Of an object that was added, all that have a value. To-many relationships are in ``relationships``.
  public var properties: [PropertyDifference] = []
  /// The to-many relationships that differ, sorted by name.
  public var relationships: [RelationshipDifference] = []
  /// The authors of the transactions about the object that only the later backup has, the oldest first.
  ///
  /// Empty where the persistent history names none, or is not kept.
  public var authors: [String] = []
}

/// The differences in a to-many relationship of an object.
public struct RelationshipDifference: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The destinations that are new.
  public var added: [ManagedObjectID]
  /// The removed destinations.
  public var removed: [ManagedObjectID]
  /// Whether remaining destinations have another order.
  public var isReordered: Bool

  /// Compares the destinations before and after; nil if they are the same.
  init?(_ name: String, from old: [ManagedObjectID], to new: [ManagedObjectID]) {
    guard old != new else { return nil }
    let (before, after) = (Set(old), Set(new))
    self.name = name
    added = new.filter { !before.contains($0) }
    removed = old.filter { !after.contains($0) }
    isReordered = old.filter(after.contains) != new.filter(before.contains)
  }
}

/// The result of following an object through the backups of its store.
public struct ObjectHistorySummary: Sendable, Equatable {
  /// The number of backups of the store.
  public var backupCount = 0
  /// The number of backups whose state was read.
  public var readCount = 0
  /// The number of events.
  public var eventCount = 0
}
