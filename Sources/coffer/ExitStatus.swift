internal import CoreDataModel
internal import POSIX

/// The exit status of the program.
///
/// Scripts rely on the numbers (docs/scripting.md).
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// The command succeeded, and there is nothing to report.
  case done = 0
  /// The command failed without a more specific status.
  case failed = 1
  /// The command worked, and found differences or errors in the data.
  case findings = 3
  /// Core Data can do it, but coffer cannot, or needs more options.
  case coreDataOnly = 4
  /// The input does not exist, or is of the wrong kind.
  case unusableInput = 10
  /// Another process keeps the store locked.
  case busy = 11
  /// The input is too damaged to read.
  case damaged = 12
  /// The archive needs a newer version of coffer.
  case newerFormat = 13
  case outputExists = 14
  /// Refused before anything was written.
  case refused = 15
  case usage = 64
  case interrupted = 130

  /// Ends the process.
  ///
  /// Only ``CofferCommand`` calls this, and ``QueryWatchdog``, if nothing else can end the work.
  func endProcess() -> Never { exit(rawValue) }

  /// The meaning in help texts.
  var meaning: String {
    switch self {
    case .done: "success"
    case .failed: "failure without a more specific status"
    case .findings: "found differences or errors in the data"
    case .coreDataOnly: "Core Data can migrate the store; coffer cannot, or needs an option"
    case .unusableInput: "the input does not exist or is of the wrong kind"
    case .busy: "the store is busy or locked"
    case .damaged: "the input is too damaged to read"
    case .newerFormat: "the archive needs a newer version of coffer"
    case .outputExists: "the output already exists (--force replaces it)"
    case .refused: "refused before anything was written"
    case .usage: "invalid usage"
    case .interrupted: "interrupted"
    }
  }

  /// The status for an error code; ``failed`` for codes without a specific status.
  init(_ code: CofferError.Code) {
    self = Self.byCode[code] ?? .failed
  }

  private static let byCode: [CofferError.Code: ExitStatus] = [
    .notFound: .unusableInput,
    .invalidPlace: .usage,
    .notSQLite: .unusableInput,
    .notCoreData: .unusableInput,
    .notAnArchive: .unusableInput,
    .notAModel: .unusableInput,
    .notAMappingModel: .unusableInput,
    .noSuchEntity: .unusableInput,
    .noSuchObject: .unusableInput,
    .notAVault: .unusableInput,
    .invalidTable: .unusableInput,
    .noSuchBackup: .unusableInput,
    .invalidTime: .usage,
    .noSuchProperty: .usage,
    .nothingChosen: .usage,
    .invalidCondition: .usage,
    .invalidQuery: .usage,
    .walMissing: .unusableInput,
    .storeBusy: .busy,
    .truncatedArchive: .damaged,
    .damagedArchive: .damaged,
    .archiveLimit: .damaged,
    .missingEntry: .damaged,
    .invalidEntryName: .damaged,
    .damagedStore: .damaged,
    .damagedModel: .damaged,
    .damagedMappingModel: .damaged,
    .modelLimit: .damaged,
    .modelMismatch: .refused,
    .newerFormat: .newerFormat,
    .outputExists: .outputExists,
    .invalidRecipient: .unusableInput,
    .invalidIdentity: .unusableInput,
    .invalidPassphrase: .unusableInput,
    .damagedEncryption: .damaged,
    .truncatedEncryption: .damaged,
    .encryptedArchive: .refused,
    .noMatchingIdentity: .refused,
    .wrongPassphrase: .refused,
    .unsupportedCompression: .refused,
    .unsupportedEncryption: .refused,
    .refused: .refused,
    .incompatibleChoices: .refused,
    .wrongState: .refused,
    .irreversibleChanges: .refused,
    .mirroredStore: .refused,
    .strictFindings: .findings,
    .newFindings: .findings,
    .mergeConflicts: .findings,
    .impossibleMigration: .refused,
    .unknownStoreModel: .refused,
  ]
}
