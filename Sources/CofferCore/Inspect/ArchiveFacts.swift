/// The properties of an archive itself.
public struct ArchiveFacts: Sendable, Equatable {
  /// The version of the archive's format.
  public var formatVersion: Int64
  /// The number of entries, without the index.
  public var entryCount: Int
  /// The size of the entries in bytes, before compression.
  public var plainByteCount: Int
  /// The size of the archive file in bytes.
  public var byteCount: Int
  /// The root digest in hexadecimal digits: equal for equal archives.
  public var digest: String
  /// The content digest in hexadecimal digits: equal for archives of equal data.
  public var contentDigest: String
  /// Whether it was unpacked and packed again with standard tools.
  public var isRepacked: Bool
  /// What was lost when it was made from a damaged store; nil for any other archive.
  public var salvage: SalvageFacts?
  /// Whether it is encrypted.
  public var isEncrypted: Bool
}
