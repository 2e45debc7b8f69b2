package import CofferCore
package import CoreDataModel

/// What a mapping model does that inference would not, between the two versions that it is for.
package struct MappingComparison: Sendable {
  /// The name of the old version.
  package let oldName: String
  /// The name of the new version.
  package let newName: String
  /// The entity mappings that differ from inferred ones, with the properties that differ.
  package private(set) var entities: [MappingModel.Entity] = []
  /// By the name of an entity mapping: properties that it leaves out and inference would keep.
  package private(set) var omitted: [Name: [Name]] = [:]
  /// The old entities whose objects inference would keep, and that no entity mapping takes.
  package private(set) var leftBehind: [Name] = []
  /// The reasons why the migration cannot be inferred.
  package let problems: [MappingProblem]

  /// Compares a mapping model with what is inferred.
  ///
  /// - Parameters:
  ///   - mapping: the mapping model, which states its versions by their paths.
  ///   - path: its path, for errors.
  ///   - bundle: the folder of the versions.
  /// - Throws: ``CofferError``: `incompatible-choices` if the mapping model states no versions; `not-a-model` if the
  ///   folder lacks one; errors from reading the models.
  package init(
    _ mapping: MappingModel, at path: String, in bundle: ModelBundle
  ) throws(CofferError) {
    guard let source = mapping.sourcePath, let destination = mapping.destinationPath else {
      throw CofferError(
        .incompatibleChoices, path: path, detail: "the mapping model does not state its versions")
    }
    oldName = CustomMapping.versionName(source)
    newName = CustomMapping.versionName(destination)
    let inferred = try ModelMapping.infer(
      from: try bundle.model(version: oldName), to: try bundle.model(version: newName))
    problems = inferred.problems
    for entity in mapping.entities {
      let known =
        entity.destinationName.flatMap { inferred.mapping(to: $0) }
        ?? entity.sourceName.flatMap { inferred.mapping(from: $0) }
      let listed = Set((entity.attributes + entity.relationships).map(\.name))
      let names = known?.properties.filter { !$0.isAdded }.compactMap(\.destination?.property) ?? []
      let missing = entity.kind == .add ? [] : names.filter { !listed.contains($0) }
      if !missing.isEmpty { omitted[entity.name] = missing }
      if let rest = Self.difference(of: entity, known, in: mapping) {
        entities.append(rest)
      } else if !missing.isEmpty {
        var rest = entity
        (rest.attributes, rest.relationships) = ([], [])
        entities.append(rest)
      }
    }
    let taken = Set(mapping.entities.compactMap(\.sourceName))
    leftBehind = inferred.entities.filter { $0.destinationName != nil }.compactMap(\.sourceName)
      .filter { !taken.contains($0) && inferred.source[$0]?.isAbstract == false }
  }

  /// An entity mapping with only the properties that differ from the inferred ones; nil if nothing differs.
  private static func difference(
    of entity: MappingModel.Entity, _ known: EntityMapping?, in mapping: MappingModel
  ) -> MappingModel.Entity? {
    var rest = entity
    rest.attributes.removeAll { isInferred($0, known) }
    rest.relationships.removeAll { isInferred($0, known) }
    let hasSameEntities =
      known?.sourceName == entity.sourceName && known?.destinationName == entity.destinationName
      && mapping.entities.count { $0.destinationName == entity.destinationName } == 1
    let isSame =
      (hasSameEntities || entity.kind == .remove && known?.destinationName == nil)
      && entity.policyClass == nil && entity.filter == nil && entity.fillsIn
      && rest.attributes.isEmpty && rest.relationships.isEmpty
    return isSame ? nil : rest
  }

  /// Whether inference would give a property the same values.
  private static func isInferred(_ property: MappingModel.Property, _ known: EntityMapping?) -> Bool
  {
    let source = known?.properties.first { $0.destination?.property == property.name }?.source?
      .property
    guard let expression = property.expression else {
      return property.mappingName == nil && property.isFilledIn
        && (source ?? property.name) == property.name
    }
    return source.map { expression.sourcePath == [$0] } ?? false
  }
}
