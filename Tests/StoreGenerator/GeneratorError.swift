/// Why a store could not be made.
package struct GeneratorError: Error, CustomStringConvertible {
  /// What went wrong, in one sentence.
  package let description: String

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}
