/// How stores are compared.
public struct ComparisonOptions: Sendable, Equatable {
  /// Whether differences hold the values themselves; otherwise they name what differs and no more.
  public var includesValues: Bool

  /// Creates options.
  public init(includesValues: Bool = false) { self.includesValues = includesValues }
}
