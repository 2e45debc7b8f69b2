/// The size of the objects of an entity.
public struct EntitySize: Sendable, Equatable {
  /// The name; empty for objects of an unknown entity.
  public var name: String
  /// The number of objects of exactly this entity, without subentities.
  public var objectCount: Int
  /// The size of their values in their rows, in bytes.
  ///
  /// Text and blobs count as stored, numbers with the fewest bytes that SQLite needs. External
  /// files do not count.
  public var byteCount: Int
}
