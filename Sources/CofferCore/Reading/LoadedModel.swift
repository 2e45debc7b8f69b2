public import CoreDataModel

/// A managed object model with additional facts from its source.
///
/// ```swift
/// var options = ExportOptions()
/// options.model = try await ModelLoader.load(from: "Trips.momd")
/// ```
public struct LoadedModel: Sendable, Equatable {
  /// The model.
  public var model: ManagedObjectModel
  /// The version hashes of the entities by name; empty if the source has none, such as a source of
  /// Xcode's model editor.
  package var versionHashes: [Name: VersionHash]
  /// The name of the version in a folder of several, or the names of merged files; nil for a single model.
  public var versionName: String?
  /// The framework that wrote the store or archive with the model; nil for a model file.
  public var frameworkVersion: Int64?
  /// The kind of the store or archive with the model; nil for a model file.
  public var sourceKind: SourceKind?
  /// The source of the model, for errors; empty for a model created in code.
  public var place: String

  /// Creates a model with additional facts.
  package init(
    _ model: ManagedObjectModel, versionHashes: [Name: VersionHash] = [:],
    versionName: String? = nil, frameworkVersion: Int64? = nil, sourceKind: SourceKind? = nil,
    place: String = ""
  ) {
    self.model = model
    self.versionHashes = versionHashes
    self.versionName = versionName
    self.frameworkVersion = frameworkVersion
    self.sourceKind = sourceKind
    self.place = place
  }

  /// Whether there is a hash for every entity of the model.
  public var hasAllVersionHashes: Bool {
    !versionHashes.isEmpty && model.entities.allSatisfy { versionHashes[$0.name] != nil }
  }
}

extension LoadedModel {
  /// Merges models into one, as `ManagedObjectModel.merging(_:)` does, with the version hashes of all.
  ///
  /// - Parameter models: the models; at least one.
  /// - Returns: the merged model; a single model unchanged.
  /// - Throws: ``CofferError`` with `model-mismatch` if two models describe an entity of one name differently.
  public static func merging(_ models: [LoadedModel]) throws(CofferError) -> LoadedModel {
    guard models.count != 1 else { return models[0] }
    let merged = try ManagedObjectModel.merging(models.map(\.model))
    var loaded = LoadedModel(merged, place: models.map(\.place).joined(separator: ", "))
    for model in models {
      for (name, hash) in model.versionHashes {
        if let other = loaded.versionHashes[name], other != hash {
          throw CofferError(
            .modelMismatch, item: "\(name)",
            detail: "two of the models have different version hashes for this entity",
            advice: "Give models of one version of the app.")
        }
        loaded.versionHashes[name] = hash
      }
    }
    return loaded
  }
}
