internal import CoreDataModel

extension ExitStatus {
  /// The status for an error, by its stable code; an unknown code is a plain failure.
  init(_ error: CofferError) {
    self = Self.byCode[error.code.text] ?? .failed
  }

  /// The statuses of the codes that have one of their own.
  private static let byCode: [String: ExitStatus] = [
    "not-found": .unusableInput,
    "not-found": .unusableInput,
    "not-sqlite": .unusableInput,
    "not-a-core-data-store": .unusableInput,
    "not-an-archive": .unusableInput,
    "not-a-model": .unusableInput,
    "no-such-entity": .unusableInput,
    "no-such-object": .unusableInput,
    "no-such-property": .usage,
    "nothing-chosen": .usage,
    "invalid-condition": .usage,
    "wal-missing": .unusableInput,
    "store-busy": .busy,
    "truncated-archive": .damaged,
    "damaged-archive": .damaged,
    "archive-limit": .damaged,
    "missing-entry": .damaged,
    "invalid-entry-name": .damaged,
    "invalid-json": .damaged,
    "damaged-store": .damaged,
    "damaged-model": .damaged,
    "model-limit": .damaged,
    "model-mismatch": .refused,
    "newer-format": .newerFormat,
    "output-exists": .outputExists,
    "invalid-recipient": .unusableInput,
    "invalid-identity": .unusableInput,
    "invalid-passphrase": .unusableInput,
    "damaged-encryption": .damaged,
    "truncated-encryption": .damaged,
    "encrypted-archive": .refused,
    "no-matching-identity": .refused,
    "wrong-passphrase": .refused,
    "unsupported-encryption": .refused,
    "refused": .refused,
    "incompatible-choices": .refused,
    "strict-findings": .findings,
    "impossible-migration": .refused,
    "unknown-store-model": .refused,
  ]
}
