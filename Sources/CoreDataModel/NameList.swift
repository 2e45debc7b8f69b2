extension Collection where Element == String {
  /// Names in words, of a long list the beginning and how many more there are: `a, b and 3 more`.
  ///
  /// - Parameters:
  ///   - most: the number of names that are shown.
  ///   - count: the number of all that there are; nil for those of the collection.
  /// - Returns: the list.
  package func listed(most: Int = .max, of count: Int? = nil) -> String {
    let shown = prefix(most)
    let rest = (count ?? self.count) - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
