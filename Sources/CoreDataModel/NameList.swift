extension Collection where Element == String {
  /// Joins names into a sentence; a long list is cut and says how many more there are: `a, b and 3 more`.
  ///
  /// - Parameters:
  ///   - max: the maximum number of names to show.
  ///   - count: the number of all names; nil for the number of elements of the collection.
  /// - Returns: the list.
  package func listed(max: Int = .max, of count: Int? = nil) -> String {
    let shown = prefix(max)
    let rest = (count ?? self.count) - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// Whether one name comes before the other by Unicode code units, the order of version hashes.
package func codeUnitsAscend(_ left: String, _ right: String) -> Bool {
  left.utf16.lexicographicallyPrecedes(right.utf16)
}

/// Whether one sibling entity is numbered before the other: in ascending order, ignoring case.
///
/// Names that differ only in case are ordered by code units, so that the order is total. Source:
/// store-format, section 2.1.
package func entityNamesAscend(_ left: String, _ right: String) -> Bool {
  let (first, second) = (left.lowercased(), right.lowercased())
  return first == second ? codeUnitsAscend(left, right) : codeUnitsAscend(first, second)
}
