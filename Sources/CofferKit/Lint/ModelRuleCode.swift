/// What a rule for models names: a stable code with what it means and what to do.
///
/// The codes are described in docs/model-rules.md.
public struct ModelRuleCode: Sendable, Hashable {
  /// The stable text, in kebab case; scripts may depend on it.
  public let text: String
  /// `error` for what CloudKit refuses, `warning` for what works and is regretted.
  public let severity: FindingSeverity
  /// What is so, as a sentence.
  public let meaning: String
  /// What to do, as a sentence.
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
