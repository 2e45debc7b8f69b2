/// An app's own key in the store metadata.
public struct MetadataValue: Sendable, Equatable {
  /// The key.
  public var name: String
  /// The value as the text of a property list.
  ///
  /// Apps keep tokens there, so show it only when asked.
  public var value: String
}
