public import CoreDataModel

/// A managed object model with what its source says beside it.
///
/// ```swift
/// var options = ExportOptions()
/// options.model = try ModelLoader.load(from: "Trips.momd")
/// ```
public struct LoadedModel: Sendable, Equatable {
  /// The model.
  public var model: ManagedObjectModel
  /// The version hashes of the entities by name; empty where the source has none, as that of Xcode's
  /// model editor.
  public var versionHashes: [ExactString: VersionHash]
  /// The name of the version in a folder of several; nil for a model that is no version of others.
  public var versionName: String?
  /// The framework that wrote the store or archive that the model is from; nil for a model file.
  public var frameworkVersion: Int64?
  /// What kind of file the model is from; nil for a model file.
  public var sourceKind: SourceKind?
  /// Where the model is from, for errors; empty for one that was made in code.
  public var place: String

  /// Creates a model with what is known of it.
  public init(
    _ model: ManagedObjectModel, versionHashes: [ExactString: VersionHash] = [:],
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
