public import CofferCore

/// Options for repairing a store.
public struct RepairOptions: Sendable {
  /// The kinds of fixes that are made for every warning and error; lossy ones are only made by
  /// ``codes``.
  public var kinds: Set<FindingFix.Kind> = [.lossless, .derived]
  /// The codes whose findings are repaired too, whatever that costs.
  public var codes: Set<FindingCode> = []
  /// The app's own checks, which run beside the others.
  public var objectChecks: [any ObjectCheck] = []
  /// What mends the findings of these checks.
  ///
  /// Whether a fix is made follows from its kind and its code, as for others.
  public var objectFixes: [any ObjectFix] = []
  /// What every change of a store has to be told.
  public var editing = EditingOptions()
  /// Where the work is done.
  ///
  /// Its model takes the place of a copy of the model that the store lacks. Without either, only counters of
  /// primary keys are repaired.
  public var environment = WorkEnvironment()

  /// Creates the default options: whatever loses nothing.
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
