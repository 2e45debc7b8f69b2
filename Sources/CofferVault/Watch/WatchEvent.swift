public import CofferComparison
public import CofferCore
public import CoreDataModel
public import Foundation

/// An event that a ``StoreWatcher`` reports.
public enum WatchEvent: Sendable {
  /// Something was committed; its differences follow.
  case changes(WatchedChanges)
  /// A difference between the last look and this one.
  case difference(Difference)
  /// A finding that the changes have brought.
  case newFinding(Finding)
  /// A finding that the changes have ended.
  case goneFinding(Finding)
  /// Another store, with another UUID, is in the place of the watched one; it is watched from now on.
  case replaced
  /// There is no longer a store at the path. If one appears again, it is watched.
  case removed
  /// No state can be read for some time, for the reason in the error; the watch continues.
  case waiting(CofferError)
}

/// The commits between two looks at a store, reported by their net effect.
public struct WatchedChanges: Sendable, Hashable {
  /// When they were seen.
  public var time: Date { moment.date }
  /// When they were seen, to the second.
  package var moment: Instant
  /// The number of commits; nil if it is not known.
  ///
  /// More than one were seen together: an object that was changed twice is reported once, and one that came and
  /// went not at all.
  public var commitCount: Int?
  /// Whether the file of the store was replaced by another one of the same store.
  public var isReplaced: Bool

  /// Whether there may have been more than one commit.
  public var mayBeSeveral: Bool { commitCount != 1 }
}
