/// A difference of one file of external binary data.
public struct FileDifference: Sendable, Hashable {
  /// What became of the file.
  public var kind: ChangeKind
  /// The name by which objects refer to it; the path within the support folder for other files.
  public var name: String
  /// How many bytes the first source's file has; nil where it has none.
  public var oldByteCount: Int?
  /// How many bytes the second source's file has; nil where it has none.
  public var newByteCount: Int?
}
