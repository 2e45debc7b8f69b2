public import CofferCore

/// Options for repairing a store.
public struct RepairOptions: Sendable {
  /// The kinds of fixes to make for every warning and error; lossy ones are only made for
  /// ``codes``.
  public var kinds: Set<FindingFix.Kind> = [.lossless, .derived]
  /// The codes whose findings are repaired as well, even if that loses data.
  public var codes: Set<FindingCode> = []
  /// The changes that a person decides, which come before all other repairs.
  public var decisions: [RepairDecision] = []
  /// The predicate that the objects of the decisions meet; nil for missing and invalid values.
  public var condition: String?
  /// The app's own checks, which run in addition to the others.
  public var objectChecks: [any ObjectCheck] = []
  /// The fixes for the findings of these checks.
  ///
  /// As for other fixes, the kind and the code decide whether a fix is made.
  public var objectFixes: [any ObjectFix] = []
  /// The options of every change of a store.
  public var editing = EditingOptions()
  /// Where the work is done.
  ///
  /// Its model replaces a missing copy of the model. Without either, only counters of primary keys are
  /// repaired.
  public var environment = WorkEnvironment()

  /// Creates the default options: all fixes that lose nothing.
  public init() {}

  /// Whether findings of a code are repaired.
  public func repairs(_ code: FindingCode) -> Bool {
    guard code.fix.isAutomatic || objectFixes.contains(where: { $0.code == code }) else {
      return false
    }
    if codes.contains(code) { return true }
    return code.severity > .info && code.fix.kind != .lossy && kinds.contains(code.fix.kind)
  }
}
