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
