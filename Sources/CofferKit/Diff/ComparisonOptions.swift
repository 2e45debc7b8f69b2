public import CoreDataStore

/// How stores are compared.
public struct ComparisonOptions: Sendable, Equatable {
  /// Whether differences hold the values themselves; otherwise they name what differs and no more.
  public var includesValues: Bool

  /// How stores are read while they are compared.
  public var access: StoreAccess

  /// Creates options; the default access is safe in any app.
  public init(includesValues: Bool = false, access: StoreAccess = .copy) {
    self.includesValues = includesValues
    self.access = access
  }
}
