internal import POSIX

/// What the program ends with; scripts rely on the numbers (docs/scripting.md).
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// The work was done and nothing is to be reported.
  case done = 0
  /// The work failed for a reason without a number of its own.
  case failed = 1
  /// The work was done and the answer is bad.
  case findings = 3
  /// The input does not exist, or is not what it should be.
  case unusableInput = 10
  /// Another process keeps the store locked.
  case busy = 11
  /// The input is too damaged to be read on.
  case damaged = 12
  /// The archive's format is newer than this program.
  case newerFormat = 13
  /// The output exists.
  case outputExists = 14
  /// Refused before anything was written.
  case refused = 15
  /// Wrong usage.
  case usage = 64
  /// Interrupted by the user or the system.
  case interrupted = 130

  /// Ends the process; only ``CofferCommand`` does so.
  func endProcess() -> Never { exit(rawValue) }

  /// The meaning, as help texts say it.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed for a reason without a number of its own"
    case .findings: "done, and the answer is bad"
    case .unusableInput: "the input does not exist or is not what it should be"
    case .busy: "the store is busy or locked"
    case .damaged: "the input is too damaged to read on"
    case .newerFormat: "the archive's format is newer than this program"
    case .outputExists: "the output exists (--force replaces it)"
    case .refused: "refused before anything was written"
    case .usage: "wrong usage"
    case .interrupted: "interrupted"
    }
  }
}
