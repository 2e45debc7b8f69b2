/// Additional observers of a verification's rows, so that nothing is read twice.
package struct VerificationAudience {
  /// Creates the observers for a run, when the model and the tables are known.
  package let observers: (VerificationContext) -> [any RunObserver]

  package init(observers: @escaping (VerificationContext) -> [any RunObserver]) {
    self.observers = observers
  }

  /// No observers.
  static var nobody: VerificationAudience { VerificationAudience { _ in [] } }
}
