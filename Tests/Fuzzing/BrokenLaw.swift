/// Something that must hold for every input and did not.
package struct BrokenLaw: Error, Sendable, Equatable, CustomStringConvertible {
  /// What did not hold.
  package var description: String

  /// Creates the error.
  package init(_ description: String) { self.description = description }
}

/// Makes sure that something holds.
///
/// - Throws: ``BrokenLaw`` where it does not.
func hold(_ condition: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
  if !condition { throw BrokenLaw(law()) }
}
