/// Hides secret keys in output, in case someone passed a key in the wrong place.
enum SecretText {
  private static let prefix = "AGE-SECRET-KEY-"

  /// Whether a text begins like a secret key.
  static func isSecret(_ text: String) -> Bool { text.uppercased().hasPrefix(prefix) }

  /// The text with each secret key cut after the prefix that all keys share.
  static func redacted(_ text: String) -> String {
    text.replacing(/(?i)(AGE-SECRET-KEY-)[0-9A-Z-]*/) { "\($0.output.1)…" }
  }
}
