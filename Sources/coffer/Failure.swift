internal import CoreDataModel

/// Why the program ends without an answer: an error, made ready to be shown.
struct Failure {
  /// The stable code in kebab case.
  var code: String
  /// What happened, as `where: what: why`.
  var message: String
  /// The next step, or nil.
  var hint: String?
  /// The status that the program ends with.
  var status: ExitStatus
  /// Whether nobody is there to read a message.
  var isSilent = false

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
      hint = Self.hints[error.code.text] ?? error.hint.map(SecretText.redacted)
      status = ExitStatus(error)
      isSilent = (error as? CofferError)?.isClosed ?? false
    } else {
      code = "failed"
      message = String(describing: error)
      status = .failed
    }
  }

  /// The next steps that are options of this program.
  private static let hints = [
    "output-exists": "Choose another name, or use --force to replace it.",
    "encrypted-archive":
      "Give what opens it: --identity FILE, or --passphrase-file FILE.",
    "wrong-passphrase": "Give the file with the right one: --passphrase-file FILE.",
  ]

  /// A failure of the command line itself.
  init(usage message: String, hint: String?) {
    code = "usage"
    self.message = SecretText.redacted(message)
    self.hint = hint.map(SecretText.redacted)
    status = .usage
  }
}
