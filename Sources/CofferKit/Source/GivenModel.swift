public import CoreDataModel

/// A model that somebody gives for a store or an archive, with what is known of it.
///
/// ```swift
/// var options = ExportOptions()
/// options.model = try ModelLoader.givenModel(from: "Trips.momd")
/// ```
public struct GivenModel: Sendable, Equatable {
  /// The model.
  public var model: ManagedObjectModel
  /// The version hash of each entity by its name; empty where they are not known, as of a source.
  public var versionHashes: [String: VersionHash]
  /// Where it came from, for errors; empty for a model that was made in code.
  public var place: String

  /// Creates a model that is given.
  public init(
    _ model: ManagedObjectModel, versionHashes: [String: VersionHash] = [:], place: String = ""
  ) {
    self.model = model
    self.versionHashes = versionHashes
    self.place = place
  }
}
