/// What a finding is about: a stable text in kebab case with a severity and an explanation.
///
/// The texts never change; each has a paragraph in `docs/findings.md` with the sentences that stand
/// here. The codes themselves stand in `Codes/`, one file for each area, for every command that
/// reports findings. The severities follow what was measured in real stores (store-format, section 8).
public struct FindingCode: Sendable, CaseIterable {
  /// The stable text, such as `dangling-relationship`.
  public let text: String
  /// How bad it is.
  public let severity: FindingSeverity
  /// The check of the verifier that looks for it.
  public let check: CheckName
  /// What it means, in one sentence without the object's name.
  public let meaning: String
  /// How it comes about.
  public let cause: String
  /// What the app will do.
  public let effect: String
  /// What to do about it.
  public let remedy: String
  /// The texts of other codes that the same defect may lead to besides; most lead to none.
  public let consequences: [String]

  /// Every code, in the order of their texts.
  public static let allCases: [FindingCode] = areas.flatMap(\.self).sorted { $0.text < $1.text }

  private static let areas = [
    databaseCodes, administrationCodes, schemaCodes, countersCodes, objectsCodes, referencesCodes,
    rulesCodes, externalCodes, historyCodes, derivedCodes, archiveCodes, salvagedStoreCodes,
    salvagedArchiveCodes, comparisonCodes, workCodes,
  ]

  /// The code of a text; nil where there is none.
  public init?(text: String) {
    guard let code = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = code
  }

  /// Creates a code for findings of an ``ObjectCheck`` of the app's own.
  ///
  /// - Parameters:
  ///   - text: the stable text, in kebab case; codes of equal texts are the same, so it must not be
  ///     one of ``allCases``.
  ///   - severity: how bad it is.
  ///   - meaning: what it means, in one sentence without the object's name.
  ///   - cause: how it comes about.
  ///   - effect: what the app will do.
  ///   - remedy: what to do about it.
  public init(
    own text: String, severity: FindingSeverity, meaning: String, cause: String = "",
    effect: String = "", remedy: String = ""
  ) {
    self.init(
      text: text, severity: severity, check: .own, meaning: meaning, cause: cause, effect: effect,
      remedy: remedy)
  }

  init(
    text: String, severity: FindingSeverity, check: CheckName, meaning: String, cause: String,
    effect: String, remedy: String, consequences: [String] = []
  ) {
    self.text = text
    self.severity = severity
    self.check = check
    self.meaning = meaning
    self.cause = cause
    self.effect = effect
    self.remedy = remedy
    self.consequences = consequences
  }
}

/// Codes are the same when their texts are.
extension FindingCode: Hashable {
  /// Whether two codes have the same text.
  public static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
