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
