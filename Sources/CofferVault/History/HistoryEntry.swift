internal import CofferCore
public import CoreDataModel
public import Foundation

/// A part of a store's persistent history: a transaction, which its changes follow.
public enum HistoryEntry: Sendable, Hashable {
  case transaction(HistoryTransaction)
  /// A change of the transaction before.
  case change(HistoryChange)
}

/// A transaction of the persistent history: the changes of one save.
public struct HistoryTransaction: Sendable, Hashable {
  /// The number, which grows with time.
  public var number: Int64
  /// The time; nil if the store has none.
  public var date: Date? { timestamp.map(Date.init(timeIntervalSinceReferenceDate:)) }
  /// The time, in seconds since 2001-01-01 00:00:00 UTC; nil if the store has none.
  package var timestamp: Double?
  /// The time as ISO 8601 text in UTC; nil without one that can be written.
  package var dateText: String? { timestamp.flatMap { InspectionParts.text(ofDate: $0) } }
  /// The author that the app named; nil for none.
  public var author: String?
  /// The name of the managed object context; nil for none.
  public var contextName: String?
  /// The bundle identifier of the program; nil for none.
  public var bundleID: String?
  /// The name of the process; nil for none.
  public var processID: String?
  /// Whether the transaction exists.
  ///
  /// If not, changes refer to a missing transaction, and only its number is known.
  public var isRecorded = true
}

/// A change of one object in a transaction.
public struct HistoryChange: Sendable, Hashable {
  /// The kind of change.
  public enum Kind: String, Sendable, CaseIterable {
    /// The object was inserted.
    case inserted
    /// The object was updated.
    case updated
    /// The object was deleted.
    case deleted
  }

  /// The number of the transaction.
  public var transaction: Int64
  /// The kind of change.
  public var kind: Kind
  /// The object, which may be gone.
  public var objectID: ManagedObjectID
  /// The names of the properties that an update changed, sorted; nil if they are not known.
  ///
  /// Which properties a change names is known for stores of frameworks up to macOS 26 and iOS 26, as long as
  /// the model is the one that the change was made with.
  public var propertyNames: [Name]?
}

/// The result of reading a persistent history.
public struct HistorySummary: Sendable, Equatable {
  /// Whether the store has the tables of a persistent history.
  public var isKept = false
  /// The number of transactions that were passed on.
  public var transactionCount = 0
  /// The number of changes that were passed on.
  public var changeCount = 0
  /// The number of changes that name no kind, entity, object or transaction, which `verify` reports.
  public var unreadableCount = 0
}
