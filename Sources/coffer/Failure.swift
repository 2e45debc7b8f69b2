internal import CoreDataModel

/// Why the program ends without an answer: an error, made ready to be shown.
struct Failure {
  /// The stable code in kebab case.
  var code: String
  /// What happened, as `where: what: why`.
  var message: String
  /// The next step, or nil.
  var hint: String?
  /// What was typed with the part that is wrong, in lines; empty where it is about nothing typed.
  var excerpt: [String] = []
  /// The status that the program ends with.
  var status: ExitStatus
  /// Whether nobody is there to read a message.
  var isSilent = false
  /// Whether the output itself is what cannot be written.
  var isOutputLost = false

  /// Makes an error ready to be shown.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - isInterrupted: whether the work was to end early; then that is the reason, whatever error
  ///     the end of the work looked like.
  init(_ error: any Error, isInterrupted: Bool) {
    if isInterrupted || error is CancellationError {
      code = "interrupted"
      message = "interrupted"
      status = .interrupted
    } else if let error = error as? CofferError {
      code = error.code.text
      message = SecretText.redacted(error.description)
      hint = Self.hint(error).map(SecretText.redacted)
      excerpt = error.markedText?.lines ?? []
      status = ExitStatus(error.code)
      isOutputLost = error.evidence is LostAnswer
      isSilent = isOutputLost && error.code == .outputClosed
    } else {
      code = "failed"
      message = String(describing: error)
      status = .failed
    }
  }

  /// The next steps; where there is no such entity, the name that is spelled most alike.
  private static func hint(_ error: CofferError) -> String? {
    if error.code == .noSuchEntity, case .chooseEntity(let names)? = error.advice.first,
      let guess = SimilarName.nearest(to: error.detail, among: names)
    {
      return "Did you mean '\(guess)'?"
    }
    guard !error.advice.isEmpty else { return nil }
    return error.advice.map(\.optionText).joined(separator: " ")
  }

  /// A failure of the command line itself.
  init(usage message: String, hint: String?) {
    code = "usage"
    self.message = SecretText.redacted(message)
    self.hint = hint.map(SecretText.redacted)
    status = .usage
  }
}

/// Tells an error of the program's own streams from one of an archive that goes to a pipe: who does
/// not read the answer any more needs no message, but an archive that nobody reads is no backup.
struct LostAnswer: Sendable, Equatable {}
