internal import CoreDataModel

extension ExitStatus {
  /// The status for an error of a code; a code without one of its own is a plain failure.
  init(_ code: CofferError.Code) {
    self = Self.byCode[code] ?? .failed
  }

  /// The statuses of the codes that have one of their own.
  private static let byCode: [CofferError.Code: ExitStatus] = [
    .notFound: .unusableInput,
    .notSQLite: .unusableInput,
    .notCoreData: .unusableInput,
    .notAnArchive: .unusableInput,
    .notAModel: .unusableInput,
    .noSuchEntity: .unusableInput,
    .noSuchObject: .unusableInput,
    .noSuchProperty: .usage,
    .nothingChosen: .usage,
    .invalidCondition: .usage,
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
    .unsupportedEncryption: .refused,
    .refused: .refused,
    .incompatibleChoices: .refused,
    .strictFindings: .findings,
    .impossibleMigration: .refused,
    .unknownStoreModel: .refused,
  ]
}
