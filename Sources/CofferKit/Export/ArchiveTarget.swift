/// Where an archive is written.
public enum ArchiveTarget: Sendable, Equatable {
  /// A file; it appears under its name only when it is complete.
  case file(String, overwriting: Bool = false)
  /// An open file descriptor, such as 1 for standard output; it is not closed.
  case fileDescriptor(Int32)
}
