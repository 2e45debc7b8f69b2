/// The version of the program.
enum Version {
  /// The version as `coffer --version` shows it.
  static let text = "0.1.0"
}
