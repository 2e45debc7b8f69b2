extension CofferError {
  /// The kind of error: a stable text for scripts and a few words for people.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case, such as `not-a-core-data-store`.
    public let text: String
    /// The meaning in a few words, such as `not a Core Data store`.
    public let title: String

    // MARK: Files

    /// The file does not exist.
    public static let notFound = Code(text: "not-found", title: "no such file")
    /// Permission to read the file is missing, or reading failed.
    public static let readFailed = Code(text: "read-failed", title: "cannot be read")
    /// Something could not be written.
    public static let writeFailed = Code(text: "write-failed", title: "cannot be written")
    /// The output already exists and may not be replaced.
    public static let outputExists = Code(text: "output-exists", title: "already exists")
    /// The reader of the output pipe has ended.
    public static let outputClosed = Code(text: "output-closed", title: "output closed")
    /// A private copy of a store could not be made because of space or permissions.
    public static let cannotCopy = Code(
      text: "cannot-copy", title: "cannot make a private copy of the store")
    /// Data that does not fit in memory could not be stored in a temporary file.
    public static let temporaryStorageFailed = Code(
      text: "temporary-storage-failed", title: "cannot store temporary data")

    /// The system grants fewer open files or less memory than a command needs.
    public static let machineLimit = Code(
      text: "machine-limit", title: "the system's limits are too low")
    /// Comparing all rows found changes that the pages of the store did not show: a defect of this program.
    public static let missedChanges = Code(
      text: "missed-changes", title: "earlier backups may lack changes")

    // MARK: Places of backups

    /// The text names no place that backups can be kept in.
    public static let invalidPlace = Code(text: "invalid-place", title: "not a place for backups")
    /// The service that keeps the backups does not answer.
    public static let placeUnreachable = Code(text: "place-unreachable", title: "cannot be reached")
    /// The service or the file system that keeps the backups refuses access.
    public static let accessDenied = Code(text: "access-denied", title: "access denied")

    // MARK: Stores

    /// The file is not an SQLite database; it may be encrypted.
    public static let notSQLite = Code(text: "not-sqlite", title: "not an SQLite database")
    /// The file is an SQLite database, but Core Data did not make it.
    public static let notCoreData = Code(
      text: "not-a-core-data-store", title: "not a Core Data store")
    /// The `-wal` file with part of the store is missing.
    public static let walMissing = Code(text: "wal-missing", title: "part of the store is missing")
    /// Another process has locked the store.
    public static let storeBusy = Code(text: "store-busy", title: "the store is busy")
    /// The store is too damaged to read on.
    public static let damagedStore = Code(text: "damaged-store", title: "the store is damaged")
    /// SQLite reported an error without a more specific code.
    public static let sqliteError = Code(text: "sqlite-error", title: "SQLite reported an error")

    // MARK: Archives

    /// The bytes are not an archive of this program.
    public static let notAnArchive = Code(text: "not-an-archive", title: "not an archive")
    /// The archive ends too early.
    public static let truncatedArchive = Code(text: "truncated-archive", title: "truncated archive")
    /// The archive contradicts itself or its format.
    public static let damagedArchive = Code(text: "damaged-archive", title: "damaged archive")
    /// The archive has a newer format than this program supports.
    public static let newerFormat = Code(text: "newer-format", title: "newer archive format")
    /// The archive exceeds a limit that protects against hostile files.
    public static let archiveLimit = Code(text: "archive-limit", title: "archive too large")
    /// The archive is compressed with zstd, which the program was built without.
    public static let unsupportedCompression = Code(
      text: "unsupported-compression", title: "compression not supported")
    /// The archive has no entry of that name.
    public static let missingEntry = Code(text: "missing-entry", title: "missing entry")
    /// A name cannot be the name of an entry.
    public static let invalidEntryName = Code(
      text: "invalid-entry-name", title: "invalid entry name")

    // MARK: Encryption

    /// The archive is encrypted, and no identity or passphrase was given.
    public static let encryptedArchive = Code(text: "encrypted-archive", title: "encrypted archive")
    /// None of the identities opens the archive.
    public static let noMatchingIdentity = Code(
      text: "no-matching-identity", title: "no matching identity")
    /// The archive needs another passphrase.
    public static let wrongPassphrase = Code(text: "wrong-passphrase", title: "wrong passphrase")
    /// The encrypted archive was changed, or breaks the rules of its format.
    public static let damagedEncryption = Code(
      text: "damaged-encryption", title: "damaged encrypted archive")
    /// The encrypted archive ends too early.
    public static let truncatedEncryption = Code(
      text: "truncated-encryption", title: "truncated encrypted archive")
    /// The encryption uses an unsupported feature.
    public static let unsupportedEncryption = Code(
      text: "unsupported-encryption", title: "encryption not supported")
    /// A text is not a valid recipient.
    public static let invalidRecipient = Code(text: "invalid-recipient", title: "invalid recipient")
    /// A file is not a valid identity file.
    public static let invalidIdentity = Code(
      text: "invalid-identity", title: "invalid identity file")
    /// A passphrase is invalid.
    public static let invalidPassphrase = Code(
      text: "invalid-passphrase", title: "invalid passphrase")

    // MARK: Models

    /// The bytes are not a model of the expected kind.
    public static let notAModel = Code(text: "not-a-model", title: "not a managed object model")
    /// The model is truncated or contradicts itself.
    public static let damagedModel = Code(
      text: "damaged-model", title: "damaged managed object model")
    /// The file is not a mapping model of the expected kind.
    public static let notAMappingModel = Code(
      text: "not-a-mapping-model", title: "not a mapping model that coffer reads")
    /// The mapping model is truncated or contradicts itself.
    public static let damagedMappingModel = Code(
      text: "damaged-mapping-model", title: "damaged mapping model")
    /// The model exceeds a limit that protects against hostile files.
    public static let modelLimit = Code(
      text: "model-limit", title: "managed object model too large")
    /// The model does not match the store that it was given for.
    public static let modelMismatch = Code(
      text: "model-mismatch", title: "the model does not match")
    /// The store's own model is unknown.
    public static let unknownStoreModel = Code(
      text: "unknown-store-model", title: "the store's model is unknown")
    /// No mapping from the old model to the new one can be inferred.
    public static let impossibleMigration = Code(
      text: "impossible-migration", title: "cannot be migrated")

    // MARK: Vaults

    /// The place holds no vault.
    public static let notAVault = Code(text: "not-a-vault", title: "not a vault")
    /// The vault has no backup that is meant, or several could be.
    public static let noSuchBackup = Code(text: "no-such-backup", title: "no such backup")
    /// A text is not a time.
    public static let invalidTime = Code(text: "invalid-time", title: "not a time")

    // MARK: Tables

    /// A table is not one of the model, or has something that is not.
    public static let invalidTable = Code(text: "invalid-table", title: "cannot be imported")

    // MARK: Requests

    /// The request is unsafe, or would create a store that Core Data cannot use.
    public static let refused = Code(text: "refused", title: "refused")
    /// The options conflict, or would create a store that Core Data cannot use.
    public static let incompatibleChoices = Code(
      text: "incompatible-choices", title: "conflicting choices")
    /// The archive's data has errors, and the import is strict.
    public static let strictFindings = Code(
      text: "strict-findings", title: "not restored because its data has errors")
    /// The store is not in the state that the changes begin with, or the changes do not follow each
    /// other.
    public static let wrongState = Code(text: "wrong-state", title: "another state")
    /// The changes have no values before, so that they can neither be applied nor taken back.
    public static let irreversibleChanges = Code(
      text: "irreversible-changes", title: "changes without the values before")
    /// CloudKit mirrors the store, which would not know of the changes.
    public static let mirroredStore = Code(
      text: "mirrored-store", title: "the store is mirrored with CloudKit")
    /// The changed store would have errors that it does not have.
    public static let newFindings = Code(
      text: "new-findings", title: "not changed because the result would have errors")
    /// The stores contradict each other, and the policy does not settle it.
    public static let mergeConflicts = Code(
      text: "merge-conflicts", title: "not merged because of conflicts")
    /// The options exclude every entity.
    public static let nothingChosen = Code(text: "nothing-chosen", title: "nothing to write")
    /// The model has no entity with this name.
    public static let noSuchEntity = Code(text: "no-such-entity", title: "no such entity")
    /// No object has this primary key.
    public static let noSuchObject = Code(text: "no-such-object", title: "no such object")
    /// The entity has no usable property of this name.
    public static let noSuchProperty = Code(text: "no-such-property", title: "no such property")
    /// The condition is not a predicate, or cannot be evaluated.
    public static let invalidCondition = Code(text: "invalid-condition", title: "invalid condition")
    /// The statement is not valid SQL, does more than read, or fails.
    public static let invalidQuery = Code(text: "invalid-query", title: "invalid query")
  }
}
