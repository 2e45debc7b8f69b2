/// The destination of an archive.
public enum ArchiveTarget: Sendable, Equatable {
  /// A file, which appears under its name only when it is complete.
  case file(String, overwriting: Bool = false)
  /// An open file descriptor, such as 1 for standard output, which is not closed.
  case fileDescriptor(Int32)
}
