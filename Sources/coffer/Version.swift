enum Version {
  /// The version that `coffer --version` prints.
  static let text = "0.1.0"
}
