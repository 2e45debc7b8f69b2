/// The version hash of an entity: 32 bytes that Core Data compares to distinguish models.
///
/// How Core Data computes it is not public (store-format, section 9), so it can only be copied.
public struct VersionHash: Sendable, Hashable {
  /// The bytes: 32 of them in every known store.
  public let bytes: [UInt8]
  /// Creates a hash from its bytes, of any number.
  public init(bytes: [UInt8]) { self.bytes = bytes }
}
