extension JSONScanner {
  /// Scans the number that begins at the next byte.
  mutating func scanNumber() throws(JSONError) -> JSONToken {
    let text = unsafe UnsafeRawBufferPointer(start: base, count: count)
    let number = unsafe NumberText(text, from: position)
    if let problem = number.problem { throw JSONError(problem, at: number.end) }
    let start = position
    position = number.end
    if number.isReal {
      guard let value = unsafe RealText.value(of: number, in: text) else {
        throw JSONError(.bigNumber, at: start)
      }
      return .real(value)
    }
    guard let value = number.integer else { throw JSONError(.bigNumber, at: start) }
    return .integer(value)
  }
}
