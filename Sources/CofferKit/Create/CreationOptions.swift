public import CoreDataStore

/// The options for creating an empty store.
public struct CreationOptions: Sendable, Equatable {
  /// The version of the model if it has several; nil for the current one.
  public var modelVersion: String?
  /// The version number of the framework to imitate; nil for that of the example, then that of the
  /// store or archive with the model, then the newest known one.
  public var frameworkVersion: Int64?
  /// A store or archive that provides what the model leaves undecided; nil for the one with the
  /// model, if there is one.
  public var example: String?
  /// Whether an existing store is replaced.
  public var overwriting: Bool
  /// The UUID of the store; nil for a new one.
  public var storeUUID: String?
  /// How the example is read if it is a store.
  public var access: StoreAccess = .copy
  /// How archives are read.
  public var archiveAccess = ArchiveAccess()

  /// Creates options; by default, everything follows from the model.
  public init(
    modelVersion: String? = nil, frameworkVersion: Int64? = nil, example: String? = nil,
    overwriting: Bool = false, storeUUID: String? = nil
  ) {
    self.modelVersion = modelVersion
    self.frameworkVersion = frameworkVersion
    self.example = example
    self.overwriting = overwriting
    self.storeUUID = storeUUID
  }
}
