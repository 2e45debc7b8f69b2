/// The version of the program.
enum Version {
  /// The version that `coffer --version` prints.
  static let text = "0.1.0"
}
