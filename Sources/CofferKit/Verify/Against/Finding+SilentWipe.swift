extension Finding {
  /// The finding that an entity lost most of its objects: at least 10, and more than half.
  ///
  /// Only where its primary key counter is the same: if objects were inserted, the app replaces them.
  ///
  /// - Parameters:
  ///   - name: the root entity.
  ///   - before: how many objects it had in an older state, with those of its subentities.
  ///   - after: how many it has.
  /// - Returns: nil if so many are left that this is usual.
  static func silentWipe(of name: String, from before: Int, to after: Int) -> Finding? {
    guard before - after >= 10, before - after > after else { return nil }
    return Finding(
      .silentWipe, entityName: name,
      detail: "there were \(before) objects and are \(after)")
  }
}
