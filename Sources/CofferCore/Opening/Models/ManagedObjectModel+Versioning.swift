internal import CoreDataModel

extension ManagedObjectModel {
  /// The entities, reduced to the parts of their version hashes, as far as known.
  ///
  /// Class names, default values, validations, indexes, user info and renaming identifiers do not
  /// (store-format, section 9).
  var versionedParts: [EntityDescription] {
    entities.map { entity in
      EntityDescription(
        name: entity.name, isAbstract: entity.isAbstract,
        superentityName: entity.superentityName,
        attributes: entity.attributes.map(\.versionedParts),
        relationships: entity.relationships.map(\.versionedParts),
        versionHashModifier: entity.versionHashModifier)
    }
  }
}

extension AttributeDescription {
  /// The attribute, reduced to the parts of the version hash.
  fileprivate var versionedParts: AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, isTransient: isTransient,
      isReadOnly: isReadOnly,
      allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
      derivation: derivation, elements: elements.map(\.versionedParts),
      versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDescription {
  /// The relationship, reduced to the parts of the version hash.
  fileprivate var versionedParts: RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destinationName, inverseName: inverseName, minCount: minCount,
      maxCount: maxCount, isOrdered: isOrdered, isOptional: isOptional, isTransient: isTransient,
      deleteRule: deleteRule, isReadOnly: isReadOnly, versionHashModifier: versionHashModifier)
  }
}
