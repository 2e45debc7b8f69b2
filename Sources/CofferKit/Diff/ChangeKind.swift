/// What became of something between the first and the second of two sources.
public enum ChangeKind: String, Sendable, Hashable, CaseIterable {
  /// Only the second has it.
  case added
  /// Only the first has it.
  case removed
  /// Both have it, and it is not the same.
  case changed
}
