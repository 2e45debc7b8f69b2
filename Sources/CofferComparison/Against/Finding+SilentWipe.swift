package import CofferCore

extension Finding {
  /// The finding that an entity lost most of its objects: at least 10, and more than half.
  ///
  /// What is gone decides, not how many are left: sample objects that an app creates after a wipe hide nothing.
  /// Only if half as many were inserted, the app replaces them, as a cache does.
  ///
  /// - Parameters:
  ///   - name: the root entity.
  ///   - gone: how many objects of an older state, with those of its subentities, are gone.
  ///   - before: how many it had.
  ///   - new: how many were inserted since.
  /// - Returns: nil if so many are left or new that this is usual.
  package static func silentWipe(
    of name: String, gone: Int, from before: Int, new: Int
  ) -> Finding? {
    guard gone >= minWipedCount, gone > before - gone, gone - new > new else { return nil }
    let others = new > 0 ? ", \(new) of them new" : ""
    return Finding(
      .silentWipe, entityName: name,
      detail: "there were \(before) objects and are \(before - gone + new)\(others)")
  }

  /// Whether an entity can have lost most of its objects, by their number before and after alone.
  ///
  /// If more than half are gone, and fewer than half of those are replaced, at most three quarters are left.
  package static func canBeWipe(from before: Int, to after: Int) -> Bool {
    before >= minWipedCount && after < before - before / 4
  }

  /// The fewest objects whose loss can be a wipe.
  private static let minWipedCount = 10
}
