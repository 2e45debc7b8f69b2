/// Whether one name comes before the other by Unicode code units, the order of version hashes.
package func codeUnitsAscend(_ left: String, _ right: String) -> Bool {
  left.utf16.lexicographicallyPrecedes(right.utf16)
}

/// Whether one entity is numbered before the other among siblings: ascending, letter case ignored.
///
/// Names that differ in case alone are ordered by code units, so that the order is total.
/// Source: store-format, section 2.1.
package func entityNamesAscend(_ left: String, _ right: String) -> Bool {
  let (first, second) = (left.lowercased(), right.lowercased())
  return first == second ? codeUnitsAscend(left, right) : codeUnitsAscend(first, second)
}
