/// A key of the store metadata that the app set.
public struct MetadataValue: Sendable, Equatable {
  /// The key.
  public var name: String
  /// The value as the text of a property list; apps keep tokens there, so show it only when asked.
  public var value: String
}
