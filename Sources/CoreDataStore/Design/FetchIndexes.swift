internal import CoreDataModel

/// The fetch indexes of an entity, to recognize unchanged inherited ones.
struct FetchIndexes {
  private let byName: [ExactString: FetchIndexDescription]

  /// Lists the indexes of an entity.
  init(_ entity: EntityDescription) {
    byName = Dictionary(
      entity.fetchIndexes.map { (ExactString($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether the entity has this very index.
  func contains(_ index: FetchIndexDescription) -> Bool {
    byName[index.name].map { $0.elements == index.elements } ?? false
  }
}

extension ManagedObjectModel {
  /// The model with the fetch indexes that the framework adds to it when it makes a store.
  ///
  /// A compiled model lists only declared indexes. A store also has one for every indexed attribute
  /// and every compound index, which the reader of sources adds itself; a store's copy of the model
  /// lists all of them. Source: store-format, section 4.
  var withAddedFetchIndexes: ManagedObjectModel {
    guard source == .file else { return self }
    return ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        let declared = entity.fetchIndexes.map(\.name).exactStrings
        let indexed = entity.attributes.filter(\.isIndexed).map { [$0.name] }
        let added = (indexed + entity.compoundIndexes).map { properties in
          FetchIndexDescription(
            name: properties.joined(separator: "_"),
            elements: properties.map { .init(propertyName: $0) })
        }
        entity.fetchIndexes = added.filter { !declared.contains($0.name) } + entity.fetchIndexes
        return entity
      }, versionIdentifiers: versionIdentifiers, configurations: configurations,
      fetchRequestTemplateNames: fetchRequestTemplateNames, source: source)
  }
}
