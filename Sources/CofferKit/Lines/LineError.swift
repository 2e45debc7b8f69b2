/// What is wrong with a line, and where in it.
struct LineError: Error, Equatable {
  /// The offset in bytes from the beginning of the line.
  var offset: Int
  /// What is wrong, without values of the user's data.
  var detail: String
}
