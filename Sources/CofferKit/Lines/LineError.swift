/// What is wrong with a line, and where in it.
package struct LineError: Error, Equatable {
  /// The offset in bytes from the beginning of the line.
  package var offset: Int
  /// What is wrong, without values of the user's data.
  package var detail: String
}
