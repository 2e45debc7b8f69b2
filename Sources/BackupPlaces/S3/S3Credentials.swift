/// The keys of an account of an object store.
///
/// Texts of this value never show the secret parts, and messages of a service are cleaned of them.
struct S3Credentials: Sendable, Equatable {
  /// The name of the key, which each request tells.
  let accessKeyID: String
  /// The secret that signs requests and never leaves this machine.
  let secretAccessKey: String
  /// What temporary keys are sent with; nil for others.
  let sessionToken: String?

  /// What stands for a secret in a text.
  private static let hidden = "…"

  /// A text without the secrets, if it repeats them.
  func redacted(_ text: String) -> String {
    var text = text
    for secret in [secretAccessKey, sessionToken ?? ""] where !secret.isEmpty {
      text = text.replacing(secret, with: Self.hidden)
    }
    return text
  }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That there are keys, and nothing else.
  var description: String { "S3Credentials(\(Self.hidden))" }
  /// That there are keys, and nothing else.
  var debugDescription: String { description }
  /// No parts: a dump shows nothing.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
