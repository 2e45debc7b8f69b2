extension EntityDescription {
  /// The attribute of that name that the entity itself declares; nil if there is none.
  package func attribute(_ name: String) -> AttributeDescription? {
    attributes.element(named: name, \.name)
  }

  /// The relationship of that name that the entity itself declares; nil if there is none.
  package func relationship(_ name: String) -> RelationshipDescription? {
    relationships.element(named: name, \.name)
  }
}

extension Array {
  /// The element with a name, found by binary search, because a hostile model may have any number
  /// of properties.
  ///
  /// The list is in ascending order of names unless someone changed it. In that case, and if there
  /// is no such name, every element is checked.
  fileprivate func element(named name: String, _ nameOf: (Element) -> String) -> Element? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if codeUnitsAscend(nameOf(self[middle]), name) { low = middle + 1 } else { high = middle }
    }
    if low < endIndex, nameOf(self[low]).hasSameBytes(as: name) { return self[low] }
    return first { nameOf($0).hasSameBytes(as: name) }
  }
}
