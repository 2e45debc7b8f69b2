/// What mends a finding, and what that costs.
public struct FindingFix: Sendable, Hashable {
  /// What a fix costs.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Other data says what must be there: nothing is lost, and nothing is decided.
    case lossless
    /// Other data implies what should be there: nothing is lost, but it could have been meant otherwise.
    case derived
    /// Something is removed or replaced that nothing can bring back.
    case lossy
    /// There is no fix: a person has to decide, or there is nothing to fix.
    case none
  }

  /// What the fix costs.
  public let kind: Kind
  /// What the fix does; without a fix, what a person has to decide. One sentence or more.
  public let text: String

  static func lossless(_ text: String) -> FindingFix { FindingFix(kind: .lossless, text: text) }
  static func derived(_ text: String) -> FindingFix { FindingFix(kind: .derived, text: text) }
  static func lossy(_ text: String) -> FindingFix { FindingFix(kind: .lossy, text: text) }
  static func none(_ text: String) -> FindingFix { FindingFix(kind: .none, text: text) }
}
