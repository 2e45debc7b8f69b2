/// A text that a user typed, with the part that an error is about.
package struct MarkedText: Sendable, Equatable {
  /// The number of characters of a long text to show before the part, and of the part and the rest.
  private static let (shownBefore, shownAfter) = (40, 60)

  private let text: String
  private let place: Range<Int>

  /// Marks a part of a text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - place: the part, counted in Unicode scalars; empty for the end.
  package init(_ text: String, _ place: Range<Int>) {
    self.text = text
    self.place = place
  }

  /// The number of the first character of the part, from 1 on.
  package var character: Int {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(place.lowerBound))).count + 1
  }

  /// The text and, below it, a line that marks the part; the ends of a long text are left out.
  ///
  /// Unprintable characters become spaces.
  package var lines: [String] {
    let scalars = Array(text.unicodeScalars)
    let start = max(0, min(place.lowerBound, scalars.count) - Self.shownBefore)
    let end = min(scalars.count, max(place.lowerBound, start) + Self.shownAfter)
    func line(_ range: Range<Int>) -> String {
      String(
        String.UnicodeScalarView(
          scalars[range.clamped(to: start..<end)].map { Self.isPrintable($0) ? $0 : " " }))
    }
    let (head, tail) = (start > 0 ? "…" : "", end < scalars.count ? "…" : "")
    let before = String(repeating: " ", count: head.count + line(0..<place.lowerBound).count)
    let mark = String(repeating: "^", count: max(1, line(place).count))
    return [head + line(start..<end) + tail, before + mark]
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

extension CofferError {
  /// The text that a user typed, with the part that the error is about; nil if it is about no text.
  package var markedText: MarkedText? { evidence as? MarkedText }
}
