import CofferKit
import Foundation

/// Copies of the app's store on other devices.
public struct StoreCopies: Sendable {
  private let store: URL

  /// Names the app's store.
  public init(store: URL) { self.store = store }

  /// Merges another copy of the store, or merges nothing and returns the conflicts.
  public func merge(_ other: URL, since base: URL) async throws -> [String] {
    do {
      try await StoreMerger().merge(other.path, into: store.path, base: base.path)
      return []
    } catch let error as CofferError where error.code == .mergeConflicts {
      return error.mergeConflicts.list.map(\.description)
    }
  }

  /// Merges another copy of the store, whose values win where both were changed.
  public func merge(preferring other: URL, since base: URL) async throws -> MergeSummary {
    var options = MergeOptions()
    options.policy = .mergeByPropertyObjectTrump
    return try await StoreMerger(options: options)
      .merge(other.path, into: store.path, base: base.path)
  }

  /// Brings back the tags that were deleted since a backup, and leaves all others unchanged.
  public func bringBackTags(from backup: URL) async throws -> Int {
    var options = MergeOptions()
    options.selection = ObjectSelection(entityNames: ["TagEntity"])
    options.matchesByObjectID = true
    options.policy = .mergeByPropertyStoreTrump
    let summary = try await StoreMerger(options: options).merge(backup.path, into: store.path)
    return summary.differences.objects.added
  }
}
