/// The suites, in the order of their rows.
enum SuiteName: String, CaseIterable {
  case main, large, small, blobs, changes, backups, chains, watch
  case startUp = "start-up"

  /// The names of all of them.
  static var all: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
