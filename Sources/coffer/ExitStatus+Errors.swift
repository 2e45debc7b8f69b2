internal import CoreDataModel

extension ExitStatus {
  /// The status for an error code; ``failed`` for codes without a specific status.
  init(_ code: CofferError.Code) {
    self = Self.byCode[code] ?? .failed
  }

  /// The codes with a specific status.
  private static let byCode: [CofferError.Code: ExitStatus] = [
    .notFound: .unusableInput,
    .invalidPlace: .usage,
    .notSQLite: .unusableInput,
    .notCoreData: .unusableInput,
    .notAnArchive: .unusableInput,
    .notAModel: .unusableInput,
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
