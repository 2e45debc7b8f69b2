/// What of a store is written in another shape, and how.
public struct DataExportOptions: Sendable, Equatable {
  /// The shape.
  public var format: DataFormat
  /// The names of the entities whose objects are written, those of their sub-entities included; empty
  /// for all.
  public var entityNames: [String]
  /// The names of the entities whose objects are left out, those of their sub-entities included;
  /// counts more than ``entityNames``.
  public var excludedEntityNames: [String]
  /// Whether an earlier output in the folder's place is replaced, or an empty folder; anything else
  /// never is.
  public var isReplacing: Bool
  /// The model that the store or the archive must be of; nil for any.
  ///
  /// A store that has no copy of its model is written with the names and types of this one.
  public var model: LoadedModel?

  /// Creates options.
  public init(
    format: DataFormat, entityNames: [String] = [], excludedEntityNames: [String] = [],
    isReplacing: Bool = false
  ) {
    self.format = format
    self.entityNames = entityNames
    self.excludedEntityNames = excludedEntityNames
    self.isReplacing = isReplacing
  }
}
