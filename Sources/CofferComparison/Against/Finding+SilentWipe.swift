package import CofferCore

extension Finding {
  /// The finding that an entity lost most of its objects: at least 10, and more than half.
  ///
  /// The number of lost objects decides, not the number of remaining ones, so sample objects that an app
  /// creates after a wipe hide nothing. If at least half as many were inserted, the app replaces its objects,
  /// as a cache does.
  ///
  /// - Parameters:
  ///   - name: the root entity.
  ///   - gone: the number of objects of the entity and its subentities that the older state had and
  ///     the newer one lacks.
  ///   - before: the number of its objects earlier.
  ///   - new: the number of objects inserted since.
  /// - Returns: nil if enough objects are left or new for this to be usual.
  package static func silentWipe(of name: Name, gone: Int, from before: Int, new: Int) -> Finding? {
    guard gone >= minWipedCount, gone > before - gone, gone - new > new else { return nil }
    let others = new > 0 ? ", \(new) of them new" : ""
    return Finding(
      .silentWipe, entityName: name,
      detail: "there were \(before) objects and are \(before - gone + new)\(others)")
  }

  /// Whether an entity can have lost most of its objects, judging only by the numbers before and
  /// after.
  ///
  /// If more than half are lost and fewer than half of the lost ones are replaced, at most three quarters
  /// remain.
  package static func canBeWipe(from before: Int, to after: Int) -> Bool {
    before >= minWipedCount && after < before - before / 4
  }

  /// The minimum number of lost objects that counts as a wipe.
  private static let minWipedCount = 10
}
