/// The code of a model rule, with its meaning and remedy.
///
/// docs/model-rules.md describes the codes.
public struct ModelRuleCode: Sendable, Hashable {
  /// The stable text, in kebab case; scripts may depend on it.
  public let text: String
  /// `error` for what CloudKit refuses, `warning` for what works but causes trouble.
  public let severity: FindingSeverity
  /// The meaning, as a sentence.
  public let meaning: String
  /// The remedy, as a sentence.
  public let remedy: String

  /// Whether two codes have the same text.
  public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ModelRuleCode: CaseIterable {
  /// All codes: those for every model, then those for models that CloudKit mirrors.
  public static var allCases: [ModelRuleCode] {
    (ModelLint.rules + ModelLint.cloudRules).map { $0.code }
  }
}
