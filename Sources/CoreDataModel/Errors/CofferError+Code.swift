extension CofferError {
  /// What happened: a stable text for scripts and a few words for people.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case, such as `not-a-core-data-store`.
    public let text: String
    /// What it means, in a few words, such as `not a Core Data store`.
    public let title: String

    // MARK: Files

    /// There is no file of that name.
    public static let notFound = Code(text: "not-found", title: "no such file")
    /// The file may not be read, or reading failed.
    public static let readFailed = Code(text: "read-failed", title: "cannot be read")
    /// Something could not be written.
    public static let writeFailed = Code(text: "write-failed", title: "cannot be written")
    /// There is something in the place of the output, and it may not be replaced.
    public static let outputExists = Code(text: "output-exists", title: "already exists")
    /// Nobody reads the pipe any more that the output goes to.
    public static let outputClosed = Code(text: "output-closed", title: "output closed")
    /// No private copy of a store could be made, because of space or permissions.
    public static let cannotCopy = Code(
      text: "cannot-copy", title: "no private copy of the store could be made")
    /// What memory has no room for could not be kept in a temporary file.
    public static let temporaryStorageFailed = Code(
      text: "temporary-storage-failed", title: "cannot keep temporary data")

    // MARK: Stores

    /// The file is not an SQLite database; it may be encrypted.
    public static let notSQLite = Code(text: "not-sqlite", title: "not an SQLite database")
    /// The file is an SQLite database, but Core Data did not make it.
    public static let notCoreData = Code(
      text: "not-a-core-data-store", title: "not a Core Data store")
    /// The `-wal` file that holds a part of the store is not there.
    public static let walMissing = Code(
      text: "wal-missing", title: "a part of the store is missing")
    /// Another process holds the store locked.
    public static let storeBusy = Code(text: "store-busy", title: "the store is busy")
    /// The store is too damaged to read on.
    public static let damagedStore = Code(text: "damaged-store", title: "the store is damaged")
    /// SQLite reported an error that has no code of its own here.
    public static let sqliteError = Code(text: "sqlite-error", title: "SQLite reported an error")

    // MARK: Archives

    /// The bytes are not an archive of this program.
    public static let notAnArchive = Code(text: "not-an-archive", title: "not an archive")
    /// The archive ends too early.
    public static let truncatedArchive = Code(text: "truncated-archive", title: "truncated archive")
    /// The archive contradicts itself or its format.
    public static let damagedArchive = Code(text: "damaged-archive", title: "damaged archive")
    /// The archive has a newer format than this program knows.
    public static let newerFormat = Code(text: "newer-format", title: "archive of a newer format")
    /// The archive exceeds a limit that protects against hostile files.
    public static let archiveLimit = Code(text: "archive-limit", title: "archive too large")
    /// The archive has no entry of that name.
    public static let missingEntry = Code(text: "missing-entry", title: "missing entry")
    /// A name cannot be the name of an entry.
    public static let invalidEntryName = Code(
      text: "invalid-entry-name", title: "invalid entry name")

    // MARK: Encryption

    /// The archive is encrypted, and nothing was given to open it with.
    public static let encryptedArchive = Code(
      text: "encrypted-archive", title: "encrypted archive")
    /// None of the identities opens the archive.
    public static let noMatchingIdentity = Code(
      text: "no-matching-identity", title: "no identity opens it")
    /// Another passphrase opens the archive.
    public static let wrongPassphrase = Code(text: "wrong-passphrase", title: "wrong passphrase")
    /// The encrypted archive was changed, or breaks the rules of its format.
    public static let damagedEncryption = Code(
      text: "damaged-encryption", title: "damaged encrypted archive")
    /// The encrypted archive ends too early.
    public static let truncatedEncryption = Code(
      text: "truncated-encryption", title: "truncated encrypted archive")
    /// The encryption uses what is not supported.
    public static let unsupportedEncryption = Code(
      text: "unsupported-encryption", title: "encryption not supported")
    /// A text is no recipient.
    public static let invalidRecipient = Code(text: "invalid-recipient", title: "not a recipient")
    /// A file holds no identity.
    public static let invalidIdentity = Code(
      text: "invalid-identity", title: "not a file of identities")
    /// A passphrase cannot be one.
    public static let invalidPassphrase = Code(
      text: "invalid-passphrase", title: "not a passphrase")

    // MARK: Models

    /// The bytes are not a model of the expected kind.
    public static let notAModel = Code(text: "not-a-model", title: "not a managed object model")
    /// The model is cut off or contradicts itself.
    public static let damagedModel = Code(
      text: "damaged-model", title: "damaged managed object model")
    /// The model exceeds a limit that protects against hostile files.
    public static let modelLimit = Code(
      text: "model-limit", title: "managed object model too large")
    /// The model is not the one of the store that it was given for.
    public static let modelMismatch = Code(text: "model-mismatch", title: "the model does not fit")
    /// What the store's own model is cannot be told.
    public static let unknownStoreModel = Code(
      text: "unknown-store-model", title: "the model of the store is not known")
    /// There is no way from the old model to the new one that can be inferred.
    public static let impossibleMigration = Code(
      text: "impossible-migration", title: "cannot be migrated without a mapping of the app's own")

    // MARK: Requests

    /// What was asked for would leave a store that Core Data cannot use, or is not safe to do.
    public static let refused = Code(text: "refused", title: "refused")
    /// The options exclude each other, or would make a store that Core Data cannot use.
    public static let incompatibleChoices = Code(
      text: "incompatible-choices", title: "choices that exclude each other")
    /// Something in the archive's data is wrong, and that was not to be accepted.
    public static let strictFindings = Code(
      text: "strict-findings", title: "not restored because its data have errors")
    /// The options leave no entity.
    public static let nothingChosen = Code(text: "nothing-chosen", title: "nothing to write")
    /// The model has no entity of that name.
    public static let noSuchEntity = Code(text: "no-such-entity", title: "no such entity")
    /// There is no object of that key.
    public static let noSuchObject = Code(text: "no-such-object", title: "no such object")
    /// The entity has no usable property of this name.
    public static let noSuchProperty = Code(text: "no-such-property", title: "no such property")
    /// The condition is not a predicate, or cannot be evaluated.
    public static let invalidCondition = Code(text: "invalid-condition", title: "invalid condition")
  }
}
