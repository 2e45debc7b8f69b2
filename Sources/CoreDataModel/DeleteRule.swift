/// What happens to the destinations of a relationship when its source is deleted.
///
/// The raw values are Core Data's numbers (store-format, section 3).
public enum DeleteRule: Int, Sendable, Hashable {
  /// The destinations are not changed, and refer to an object that no longer exists.
  case noAction = 0
  /// The inverse of the destinations is set to nil.
  case nullify = 1
  /// The destinations are deleted too.
  case cascade = 2
  /// The deletion is refused if there are destinations.
  case deny = 3

  /// The name that Xcode shows, such as `No Action`.
  public var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}
