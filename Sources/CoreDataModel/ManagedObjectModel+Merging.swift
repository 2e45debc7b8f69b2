extension ManagedObjectModel {
  /// Merges models into one, as `NSManagedObjectModel(byMerging:)` does: the entities of all of them, equal ones
  /// once.
  ///
  /// Configurations of one name are joined, in the order of the models.
  ///
  /// - Parameter models: the models; at least one.
  /// - Returns: the merged model; a single model is returned unchanged.
  /// - Throws: ``CofferError`` with `model-mismatch` if two models describe an entity of one name differently.
  public static func merging(_ models: [ManagedObjectModel]) throws(CofferError) -> Self {
    guard models.count != 1 else { return models[0] }
    var merged: [Name: EntityDescription] = [:]
    var configurations: [Name: [Name]] = [:]
    for model in models {
      for entity in model.entities {
        guard merged.updateValue(entity, forKey: entity.name) ?? entity == entity
        else {
          throw CofferError(
            .modelMismatch, item: entity.name.text,
            detail: "two of the models describe this entity differently",
            advice: "Give models of one version of the app.")
        }
      }
      for (name, entities) in model.configurations {
        let known = configurations[name] ?? []
        configurations[name] = known + entities.filter { !known.contains($0) }
      }
    }
    return ManagedObjectModel(
      entities: Array(merged.values),
      versionIdentifiers: Set(models.flatMap(\.versionIdentifiers)).sorted(),
      configurations: configurations,
      fetchRequestTemplateNames: Set(models.flatMap(\.fetchRequestTemplateNames))
        .sorted(),
      source: models.first?.source ?? .file)
  }
}
