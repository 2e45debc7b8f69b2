/// The kind of a finding: a stable text in kebab case with a severity and an explanation.
///
/// The texts never change; each has a section in `docs/findings.md` with the sentences here. The
/// codes are in `Codes/`, one file per area, for every command that reports findings. The
/// severities follow measurements in real stores (store-format, section 8).
public struct FindingCode: Sendable, CaseIterable {
  /// The stable text, such as `dangling-relationship`.
  public let text: String
  /// The severity.
  public let severity: FindingSeverity
  /// The check that finds it.
  public let check: CheckName
  /// The meaning, in one sentence without the object's name.
  public let meaning: String
  /// The cause of the defect.
  public let cause: String
  /// The effect on the app.
  public let effect: String
  /// What to do about the defect.
  public let remedy: String
  /// The fix, and its cost.
  public let fix: FindingFix
  /// Another part of this library that helps; nil for nothing.
  package let tool: FindingTool?
  /// The texts of other codes that the same defect can cause; usually none.
  public let consequences: [String]

  /// Every code, in the order of their texts.
  public static let allCases: [FindingCode] = areas.flatMap(\.self).sorted { $0.text < $1.text }

  private static let areas = [
    databaseCodes, administrationCodes, schemaCodes, countersCodes, objectsCodes, referencesCodes,
    rulesCodes, externalCodes, historyCodes, derivedCodes, archiveCodes, salvagedStoreCodes,
    salvagedArchiveCodes, comparisonCodes, workCodes,
  ]

  /// The code with a text; nil if there is none.
  public init?(text: String) {
    guard let code = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = code
  }

  /// Creates a code for findings of an app's own ``ObjectCheck``.
  ///
  /// - Parameters:
  ///   - text: the stable text, in kebab case. Codes with equal texts are the same, so it must not
  ///     be one of ``allCases``.
  ///   - severity: the severity.
  ///   - meaning: the meaning, in one sentence without the object's name.
  ///   - cause: the cause of the defect.
  ///   - effect: what the app does as a result.
  ///   - remedy: the action to take; the ``fix`` describes the same action.
  ///   - fixKind: the cost of the app's own fix; a repair makes a fix without a kind only if its code is
  ///     named.
  public init(
    own text: String, severity: FindingSeverity, meaning: String, cause: String = "",
    effect: String = "", remedy: String = "", fixKind: FindingFix.Kind = .none
  ) {
    self.init(
      text: text, severity: severity, check: .own, meaning: meaning, cause: cause, effect: effect,
      remedy: remedy, fix: FindingFix(fixKind, remedy))
  }

  init(
    text: String, severity: FindingSeverity, check: CheckName, meaning: String, cause: String,
    effect: String, remedy: String, fix: FindingFix, tool: FindingTool? = nil,
    consequences: [String] = []
  ) {
    self.text = text
    self.severity = severity
    self.check = check
    self.meaning = meaning
    self.cause = cause
    self.effect = effect
    self.remedy = remedy
    self.fix = fix
    self.tool = tool
    self.consequences = consequences
  }
}

/// Codes are equal if their texts are.
extension FindingCode: Hashable {
  /// Whether two codes have the same text.
  public static func == (left: Self, right: Self) -> Bool { left.text == right.text }

  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension FindingCode {
  /// The meaning with a capital and a full stop.
  package var meaningSentence: String {
    "\(meaning.prefix(1).uppercased())\(meaning.dropFirst())."
  }
}

/// The codes of findings about the verification itself.
extension FindingCode {
  /// A check could not run, or only in part.
  public static let checkNotRun = FindingCode(
    text: "check-not-run", severity: .warning, check: .verification,
    meaning: "a check could not run, or only in part",
    cause: """
      The check needs something that is missing, such as a model that is not inferred, or a table \
      that cannot be read. The detail says what.
      """,
    effect: "Unknown: there may be defects that the check would have found.",
    remedy: "Provide the missing part, such as the app's model, and verify again.",
    fix: .none("Nothing is known to be wrong. Provide what the check needs, and verify again."))

  static let workCodes: [FindingCode] = [.checkNotRun]
}
