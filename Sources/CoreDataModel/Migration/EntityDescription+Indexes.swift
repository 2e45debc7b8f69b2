/// The indexes of an entity, whichever way the model asks for them.
///
/// Older sources mark attributes as indexed and list compound indexes; newer ones declare fetch indexes.
/// A compiler and the framework write one as the other (store-format, section 4).
extension EntityDescription {
  func hasIndex(of properties: [Name]) -> Bool {
    if compoundIndexes.contains(properties) { return true }
    if fetchIndexes.contains(where: { $0.elements.map(\.propertyName) == properties }) {
      return true
    }
    guard properties.count == 1, let name = properties.first else { return false }
    return attribute(name)?.isIndexed ?? relationship(name)?.isIndexed ?? false
  }

  /// The fetch indexes, without unnamed indexes that another entity has too.
  func fetchIndexes(besides other: EntityDescription) -> [FetchIndexDescription] {
    fetchIndexes.filter { index in
      let properties = index.elements.compactMap(\.propertyName)
      let isImplied =
        index.elements.count == properties.count && index.partialIndexPredicate == nil
        && index.name == Name(properties.joined(separator: "_"))
      return !isImplied || other.fetchIndexes.contains { $0.name == index.name }
        || !other.hasIndex(of: properties)
    }
  }
}
