/// Who looks at the rows of a verification besides the checks: nothing is read twice for it.
struct VerificationAudience {
  /// Makes the observers for a run, once the model and the tables are known.
  let observers: (VerificationContext) -> [any RunObserver]

  /// Nobody.
  static var nobody: VerificationAudience { VerificationAudience { _ in [] } }
}
