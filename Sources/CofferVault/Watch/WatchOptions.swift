public import CofferCore

/// Options for watching a store.
public struct WatchOptions: Sendable {
  /// The entities to watch, with their subentities; empty for everything.
  ///
  /// With entities, only their objects and the pairs of their relationships are told.
  public var entityNames: [String] = []
  /// The model that the store must have; nil for its own.
  ///
  /// A store without a copy of its model is read with this one.
  public var model: LoadedModel?
  /// Whether each state is verified after its changes are told.
  public var verifies = false
  /// The folder for private copies; nil for the system's temporary folder.
  ///
  /// It needs space for the store twice.
  public var temporaryFolder: String?

  /// How many seconds a store may be unreadable before that is told.
  package var patience = 5.0

  /// Creates options to watch all entities.
  public init() {}
}
