/// The looks of a piece of text on a terminal.
struct Style: Sendable {
  /// Whether there are colours at all.
  var isColored: Bool

  /// A heading.
  func bold(_ text: String) -> String { wrapped("1", text) }
  /// An error, or something that is gone.
  func red(_ text: String) -> String { wrapped("31", text) }
  /// Something that is new.
  func green(_ text: String) -> String { wrapped("32", text) }
  /// A warning, or something that changed.
  func yellow(_ text: String) -> String { wrapped("33", text) }
  /// A next step.
  func cyan(_ text: String) -> String { wrapped("36", text) }

  private func wrapped(_ code: String, _ text: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
