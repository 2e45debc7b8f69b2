/// How much the objects of an entity hold.
public struct EntitySize: Sendable, Equatable {
  /// The name; empty for objects whose entity nothing explains.
  public var name: String
  /// How many objects are of exactly this entity, those of sub-entities not counted.
  public var objectCount: Int
  /// How many bytes their values have in their rows.
  ///
  /// Those of texts and blobs as they stand there, of numbers as few as the store needs for each. What
  /// stands in files beside the store is not counted.
  public var byteCount: Int
}
