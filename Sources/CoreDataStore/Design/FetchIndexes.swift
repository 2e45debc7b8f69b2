internal import CoreDataModel

/// The fetch indexes of an entity as the framework has them when it makes a store.
///
/// A compiled model names only those that are declared; the framework adds one for every indexed
/// attribute and every compound index, as the reader of sources does. The copy of a model in a store
/// has them all. Source: store-format, section 4.
struct FetchIndexes {
  /// The indexes, those that are added first.
  let indexes: [FetchIndexDescription]
  private let byName: [String: FetchIndexDescription]

  /// Lists the indexes of an entity, from the source of its model.
  init(_ entity: EntityDescription, source: ModelSource) {
    var added: [FetchIndexDescription] = []
    if source == .file {
      let declared = Set(entity.fetchIndexes.map(\.name))
      let indexed = entity.attributes.filter(\.isIndexed).map { [$0.name] }
      added = (indexed + entity.compoundIndexes).map { properties in
        FetchIndexDescription(
          name: properties.joined(separator: "_"),
          elements: properties.map { .init(propertyName: $0) })
      }.filter { !declared.contains($0.name) }
    }
    indexes = added + entity.fetchIndexes
    byName = Dictionary(indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the entity has this very index.
  func contains(_ index: FetchIndexDescription) -> Bool {
    byName[index.name].map { $0.elements == index.elements } ?? false
  }
}
