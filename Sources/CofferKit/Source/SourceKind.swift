/// What a file is that a command is given, found by its content and never by its name.
public enum SourceKind: String, Sendable, Hashable {
  /// A persistent store.
  case store
  /// An archive.
  case archive
}
