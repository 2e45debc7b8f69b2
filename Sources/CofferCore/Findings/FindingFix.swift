/// A part of this library that helps with a finding, in addition to a repair.
package enum FindingTool: String, Sendable, CaseIterable {
  /// A rescue of the intact parts of a store or an archive.
  case rescue
  case rescueWithModel
  case comparison
  /// An inspection of the content of a store or an archive.
  case inspection
  /// A repair with a value that a person decides.
  case decision
  /// The removal of duplicates.
  case deduplication
  /// The removal of unused parts.
  case compaction
  /// A new store of the model, to copy from.
  case creation
}

/// The fix of a finding, and its cost.
public struct FindingFix: Sendable, Hashable {
  /// The cost of a fix.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Other data determines the right value: nothing is lost, and nothing is decided.
    case lossless
    /// Other data implies the right value: nothing is lost, but the intention may have been different.
    case derived
    /// Something is removed or replaced that nothing can bring back.
    case lossy
    /// There is no fix: a person has to decide, or there is nothing to fix.
    case none
  }

  /// The cost of the fix.
  public let kind: Kind
  /// The action of the fix; without a fix, the decision that a person has to make: one sentence or more.
  public let text: String
  /// Whether ``StoreRepairer`` makes the fix; otherwise a person has to.
  public private(set) var isAutomatic = false

  /// A fix that coffer does not make.
  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  static func lossless(_ text: String) -> FindingFix { FindingFix(.lossless, text) }
  static func derived(_ text: String) -> FindingFix { FindingFix(.derived, text) }
  static func lossy(_ text: String) -> FindingFix { FindingFix(.lossy, text) }
  static func none(_ text: String) -> FindingFix { FindingFix(.none, text) }

  /// The same fix, which ``StoreRepairer`` makes.
  var automatic: FindingFix {
    var fix = self
    fix.isAutomatic = true
    return fix
  }
}
