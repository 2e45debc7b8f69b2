public import CoreDataStore

/// How an empty store is created.
public struct CreationOptions: Sendable, Equatable {
  /// The version of the model, where there are several; nil for the current one.
  public var modelVersion: String?
  /// The framework as whose the store is written, by its number; nil for that of the example, of the
  /// store or archive that the model is from, or for the newest that is known.
  public var frameworkVersion: Int64?
  /// A store or an archive that shows what does not follow from the model; nil for the one that the
  /// model is from, if it is from one.
  public var example: String?
  /// Whether a store that is there is replaced.
  public var overwriting: Bool
  /// The UUID of the store; nil for a new one.
  public var storeUUID: String?
  /// How the example is read, if it is a store.
  public var access: StoreAccess = .copy
  /// How archives are read.
  public var archiveAccess = ArchiveAccess()

  /// Creates options; without arguments everything follows from the model.
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
