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

extension Collection<Name> {
  /// Joins names into a sentence; a long list is cut and says how many more there are: `a, b and 3 more`.
  package func listed(max: Int = .max, of count: Int? = nil) -> String {
    map(\.text).listed(max: max, of: count)
  }
}

/// Whether one text comes before the other by UTF-16 code units, the order of names.
package func codeUnitsAscend(_ left: String, _ right: String) -> Bool {
  left.utf16.lexicographicallyPrecedes(right.utf16)
}

/// Whether one sibling entity is numbered before the other: in ascending order, ignoring case.
///
/// Names that differ only in case are ordered by code units, so that the order is total. Source:
/// store-format, section 2.1.
package func entityNamesAscend(_ left: Name, _ right: Name) -> Bool {
  let (first, second) = (Name(left.text.lowercased()), Name(right.text.lowercased()))
  return first == second ? left < right : first < second
}
