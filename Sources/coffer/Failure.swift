internal import CofferKit
internal import CoreDataModel

/// An error that ends the program, ready to be printed.
struct Failure {
  /// The stable code in kebab case.
  var code: String
  /// The message, as `where: what: why`.
  var message: String
  /// The next step, or nil.
  var hint: String?
  /// The typed text with its wrong part, in lines; empty if the error does not concern typed text.
  var excerpt: [String] = []
  /// The status that the program ends with.
  var status: ExitStatus
  /// Whether no one can read a message.
  var isSilent = false
  /// Whether the error is that the output cannot be written.
  var isOutputLost = false

  /// Prepares an error for printing; after an interruption, that is the reason for any error.
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
      status =
        error.problems.isEmpty
        ? ExitStatus(error.code) : MigrationVerdict(error.problems).statusOfMigration
      isOutputLost = error.evidence is LostAnswer
      isSilent = isOutputLost && error.code == .outputClosed
    } else {
      code = "failed"
      message = String(describing: error)
      status = .failed
    }
  }

  /// The next steps; for an unknown entity, the name with the most similar spelling.
  private static func hint(_ error: CofferError) -> String? {
    if error.code == .noSuchEntity, case .chooseEntity(let names)? = error.advice.first,
      let guess = SimilarName.nearest(to: error.detail, among: names)
    {
      return "Did you mean '\(guess)'?"
    }
    guard !error.advice.isEmpty else { return nil }
    return error.advice.map(\.optionText).joined(separator: " ")
  }

  init(usage message: String, hint: String?) {
    code = "usage"
    self.message = SecretText.redacted(message)
    self.hint = hint.map(SecretText.redacted)
    status = .usage
  }
}

/// Marks errors of the program's own output, in contrast to an archive written to a pipe.
///
/// A reader who stopped reading the answer needs no message, but an archive that no one read is not a
/// backup.
struct LostAnswer: Sendable, Equatable {}
