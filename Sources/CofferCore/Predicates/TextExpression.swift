internal import Foundation

/// A regular expression that texts match as a whole, within limited time.
struct TextExpression {
  /// The most steps that the expression may take for one text: an expression such as `(.*)*x` takes twice as
  /// many for each further character.
  static let maxSteps = 20_000_000
  /// How many steps ICU takes between two reports of its progress.
  private static let reportedSteps = 10_000

  private let expression: NSRegularExpression
  /// Its position in the condition.
  private let place: Range<Int>

  /// - Throws: ``ConditionFault`` for an invalid regular expression.
  init(
    _ pattern: String, _ options: NSRegularExpression.Options, at place: Range<Int>
  ) throws(ConditionFault) {
    // By itself first: brackets must not close what only the whole opens. Where comments are on, one
    // at the end of the expression must not take in what follows.
    let hasComments = pattern.range(of: "\\(\\?[a-w]*x", options: .regularExpression) != nil
    guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil,
      let expression = try? NSRegularExpression(
        pattern: "(?:\(pattern)\(hasComments ? "\n" : ""))\\z", options: options)
    else {
      throw ConditionFault(
        "the regular expression is invalid", at: place,
        hint: "Escape special characters with two backslashes: '\\\\['")
    }
    self.expression = expression
    self.place = place
  }

  /// Whether a text matches as a whole.
  ///
  /// - Throws: ``ConditionFault`` where that takes more than ``maxSteps``, or more memory than ICU has for
  ///   it; `CancellationError`.
  func matches(_ text: ComparedText) throws -> Bool {
    let text = String(decoding: text.bytes, as: UTF8.self)
    let whole = NSRange(location: 0, length: text.utf16.count)
    var (reports, isFound, isGivenUp) = (0, false, false)
    unsafe expression.enumerateMatches(
      in: text, options: [.anchored, .reportProgress, .reportCompletion], range: whole
    ) { match, flags, stop in
      if let match { isFound = match.range == whole }
      if flags.contains(.progress) { reports += 1 }
      isGivenUp = flags.contains(.internalError) || reports > Self.maxSteps / Self.reportedSteps
      if isFound || isGivenUp || Task<Never, Never>.isCancelled { unsafe stop.pointee = true }
    }
    try Task<Never, Never>.checkCancellation()
    guard isGivenUp else { return isFound }
    throw ConditionFault(
      "the regular expression takes more than \(Self.maxSteps / 1_000_000) million steps for a text",
      at: place, hint: "Avoid nested repetitions such as (.*)*, or use LIKE.")
  }
}
