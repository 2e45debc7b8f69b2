public import CofferCore

/// Options for watching a store.
public struct WatchOptions: Sendable {
  /// The entities to watch, with their subentities; empty for everything.
  ///
  /// With entities, only their objects and the pairs of their relationships are reported.
  public var entityNames: [Name] = []
  /// Whether each state is verified after its changes are told.
  public var verifies = false
  /// The environment for reading the store, with the folder for private copies, which need space for the store twice.
  public var environment = WorkEnvironment()

  /// The seconds that a store may be unreadable before an event says so.
  package var patience = 5.0

  /// Creates options to watch all entities.
  public init() {}
}
