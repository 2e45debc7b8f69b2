/// Additional observers of a verification's rows, so that nothing is read twice.
struct VerificationAudience {
  /// Creates the observers for a run, when the model and the tables are known.
  let observers: (VerificationContext) -> [any RunObserver]

  /// No observers.
  static var nobody: VerificationAudience { VerificationAudience { _ in [] } }
}
