/// What is known of an archive as such.
public struct ArchiveFacts: Sendable, Equatable {
  /// The version of the archive's format.
  public var formatVersion: Int64
  /// How many entries it has, its index not counted.
  public var entryCount: Int
  /// How many bytes the entries have before compression.
  public var plainByteCount: Int
  /// How many bytes the archive's file has.
  public var byteCount: Int
  /// The root digest in hexadecimal digits: equal for archives of equal content.
  public var digest: String
  /// Whether it was unpacked and packed again with stock tools.
  public var isRepacked: Bool
  /// What was lost when it was made from a damaged store; nil for every other archive.
  public var salvage: SalvageFacts?
  /// Whether it is encrypted.
  public var isEncrypted: Bool
}
