/// The codes of findings about what the store says of itself.
extension FindingCode {
  /// The store metadata is missing.
  public static let missingMetadata = FindingCode(
    text: "missing-metadata", severity: .error, check: .metadata,
    meaning: "the store metadata is missing",
    cause: "SQL that emptied or dropped the table; a store that was recovered from damage piece "
      + "by piece.",
    effect: "The app cannot open the store: without the metadata Core Data does not know that the "
      + "file is one of its stores, nor for which model.",
    remedy: "Restore an older backup. Without one, take the metadata from another store of the "
      + "same app and version.",
    consequences: ["check-not-run"])
  /// There is more than one row of store metadata.
  public static let surplusMetadata = FindingCode(
    text: "surplus-metadata", severity: .error, check: .metadata,
    meaning: "there is more than one row of store metadata",
    cause: "SQL; a tool that copied rows of one store into another.",
    effect: "Core Data reads one of the rows; if it is the wrong one, the store has another UUID, "
      + "and may not fit the app's model.",
    remedy: "Find out which row is the store's own, by the UUID that older backups have, and "
      + "remove the other.")
  /// The UUID of the store is missing or malformed.
  public static let invalidStoreUUID = FindingCode(
    text: "invalid-store-uuid", severity: .error, check: .metadata,
    meaning: "the UUID of the store is missing or malformed",
    cause: "SQL; a tool that made the store and invented an identifier of its own.",
    effect: "Object IDs that the app kept as URIs do not lead to their objects any more; merging "
      + "and synchronization take the store for another one.",
    remedy: "Restore the UUID from an older backup, or import an archive of the store with a new "
      + "UUID if no URIs are kept anywhere.")
  /// The property list of the store metadata cannot be read.
  public static let unreadableMetadata = FindingCode(
    text: "unreadable-metadata", severity: .error, check: .metadata,
    meaning: "the property list of the store metadata cannot be read",
    cause: "A save that was cut off while the store was made; SQL; damage.",
    effect: "The app cannot open the store: the version hashes that tell the model are gone, and "
      + "with them all that the app keeps in the metadata.",
    remedy: "Restore an older backup. Without one, take the property list from another store of "
      + "the same app and version.",
    consequences: ["check-not-run"])
  /// The store metadata has no version hash for an entity of the model.
  public static let missingVersionHash = FindingCode(
    text: "missing-version-hash", severity: .error, check: .versionHashes,
    meaning: "the store metadata has no version hash for an entity of the model",
    cause: "A migration that was cut off; a tool that wrote the metadata; metadata of another "
      + "store or version.",
    effect: "The app does not find the store compatible with its model (Cocoa error 134100), and "
      + "migrates it or refuses it.",
    remedy: "Restore an older backup, or take the hashes from another store of the same app and "
      + "version.")
  /// The store metadata has a version hash for an entity that the model lacks.
  public static let surplusVersionHash = FindingCode(
    text: "surplus-version-hash", severity: .error, check: .versionHashes,
    meaning: "the store metadata has a version hash for an entity that the model lacks",
    cause: "A migration that was cut off; a tool that wrote the metadata; metadata of another "
      + "store or version.",
    effect: "The app does not find the store compatible with its model (Cocoa error 134100), and "
      + "migrates it or refuses it.",
    remedy: "Restore an older backup, or take the hashes from another store of the same app and "
      + "version.")
  /// The digest of the version hashes is not that of the version hashes.
  public static let versionDigestMismatch = FindingCode(
    text: "version-digest-mismatch", severity: .error, check: .versionHashes,
    meaning: "the digest of the version hashes is not that of the version hashes",
    cause: "A tool that changed the version hashes and not the digest; damage to the metadata.",
    effect: "Newer systems compare the digest before the hashes: the app may migrate or refuse a "
      + "store that fits its model.",
    remedy: "Restore an older backup. If the hashes are right, the digest can be computed from "
      + "them.")
  /// The checksum of the model is not that of the version hashes.
  public static let versionChecksumMismatch = FindingCode(
    text: "version-checksum-mismatch", severity: .error, check: .versionHashes,
    meaning: "the checksum of the model is not that of the version hashes",
    cause: "A tool that changed the version hashes and not the checksum; damage to the metadata.",
    effect: "Newer systems use the checksum to find the version of the model: a staged migration "
      + "may begin at the wrong version or not at all.",
    remedy: "Restore an older backup. If the hashes are right, the checksum can be computed from "
      + "them.")
  /// The store has no copy of its model although its framework writes one.
  public static let missingModelCache = FindingCode(
    text: "missing-model-cache", severity: .warning, check: .modelCache,
    meaning: "the store has no copy of its model although its framework writes one",
    cause: "SQL; a tool that made or repaired the store; a store whose making was cut off.",
    effect: "The app opens the store with its own model. A lightweight migration that needs the "
      + "old model fails where the app does not bring that along.",
    remedy: "Nothing, as long as the app opens the store; it writes the copy with the next "
      + "migration. To have the store checked against its model all the same, give the model.",
    consequences: ["check-not-run"])
  /// The store's copy of its model cannot be read.
  public static let unreadableModelCache = FindingCode(
    text: "unreadable-model-cache", severity: .error, check: .modelCache,
    meaning: "the store's copy of its model cannot be read",
    cause: "Damage; a tool that wrote it; a file that was cut off.",
    effect: "The app opens the store with its own model. A lightweight migration that needs the "
      + "old model fails.",
    remedy: "Restore an older backup before the next update of the app. To have the store checked "
      + "against its model all the same, give the model.",
    consequences: ["check-not-run"])
  /// The table that numbers the entities is missing.
  public static let missingNumbering = FindingCode(
    text: "missing-numbering", severity: .error, check: .entityNumbers,
    meaning: "the table that numbers the entities is missing",
    cause: "SQL; a store that was recovered from damage piece by piece.",
    effect: "The app cannot open the store: nothing tells which entity a row belongs to, and "
      + "which primary keys are taken.",
    remedy: "Restore an older backup. Until then objects are verified with the numbers that the "
      + "model would give.",
    consequences: ["check-not-run"])
  /// The store has no number for an entity of the model.
  public static let unnumberedEntity = FindingCode(
    text: "unnumbered-entity", severity: .error, check: .entityNumbers,
    meaning: "the store has no number for an entity of the model",
    cause: "SQL; a migration that was cut off; a tool that wrote the table.",
    effect: "Core Data cannot tell the objects of the entity: the store does not open, or the "
      + "next insertion fails.",
    remedy: "Restore an older backup. If the number has another name and the entity was only "
      + "renamed, the name can be put right.",
    consequences: ["unknown-entity", "change-of-unknown-entity"])
  /// The store numbers an entity that the model lacks.
  public static let surplusEntity = FindingCode(
    text: "surplus-entity", severity: .warning, check: .entityNumbers,
    meaning: "the store numbers an entity that the model lacks",
    cause: "An entity that left the model without a migration of the store; SQL; a tool that "
      + "wrote the table.",
    effect: "The app does not know the entity and leaves its objects alone, if there are any.",
    remedy: "Nothing, as long as the app is content. Objects of such an entity appear in no list "
      + "of the app: export them if they matter.")
  /// The store numbers the entity under its renaming identifier.
  public static let renamedEntity = FindingCode(
    text: "renamed-entity", severity: .info, check: .entityNumbers,
    meaning: "the store numbers the entity under its renaming identifier",
    cause: "Core Data itself: a lightweight migration renames the entity and leaves the old name "
      + "in the table of numbers.",
    effect: "The app finds the entity by its renaming identifier.",
    remedy: "Nothing.")
  /// The entity's number is not the one that the model gives it.
  public static let unexpectedEntityNumber = FindingCode(
    text: "unexpected-entity-number", severity: .warning, check: .entityNumbers,
    meaning: "the entity's number is not the one that the model gives it",
    cause: "A tool that made or merged stores; SQL. Core Data numbers the entities anew at each "
      + "migration.",
    effect: "The app reads the numbers from the store and copes; a later migration may give the "
      + "rows of the entity to another one.",
    remedy: "Nothing, as long as the app shows the right objects. Verify the store again after a "
      + "migration.")
  /// The store names another superentity than the model.
  public static let wrongSuperentity = FindingCode(
    text: "wrong-superentity", severity: .error, check: .entityNumbers,
    meaning: "the store names another superentity than the model",
    cause: "SQL; a tool that wrote the table; a model that is not the one the store was made with.",
    effect: "Fetches that include sub-entities find too few objects or ones of a foreign class.",
    remedy: "Restore an older backup, or find the model that the store was made with.")
  /// The store has no table for an entity or a relationship of its model.
  public static let missingTable = FindingCode(
    text: "missing-table", severity: .error, check: .schema,
    meaning: "the store has no table for an entity or a relationship of its model",
    cause: "A migration that was cut off; SQL; a test file.",
    effect: "The app cannot open the store, or fails at the first fetch of the entity or the "
      + "first use of the relationship.",
    remedy: "Restore an older backup. What there is, is exported all the same.")
  /// The store has no place for a property of its model.
  public static let missingProperty = FindingCode(
    text: "missing-property", severity: .error, check: .schema,
    meaning: "the store has no place for a property of its model",
    cause: "A migration that was cut off; SQL; a test file.",
    effect: "The app cannot open the store, or fails at the first fetch.",
    remedy: "Restore an older backup. What there is, is exported all the same; `coffer inspect` "
      + "lists what is missing.")
  /// The store's model is not the given one.
  public static let modelMismatch = FindingCode(
    text: "model-mismatch", severity: .error, check: .model,
    meaning: "the store's model is not the given one",
    cause: "The store is of another version of the app than the model; a migration has not taken "
      + "place or was cut off.",
    effect: "With the given model, Core Data finds the store incompatible (Cocoa error 134100) "
      + "and migrates it or refuses it.",
    remedy: "Give the model of the version that wrote the store, or let the app migrate a copy of "
      + "the store and verify that.")

  static let administrationCodes: [FindingCode] = [
    .missingMetadata, .surplusMetadata, .invalidStoreUUID, .unreadableMetadata,
    .missingVersionHash, .surplusVersionHash, .versionDigestMismatch, .versionChecksumMismatch,
    .missingModelCache, .unreadableModelCache, .missingNumbering, .unnumberedEntity,
    .surplusEntity, .renamedEntity, .unexpectedEntityNumber, .wrongSuperentity, .missingTable,
    .missingProperty, .modelMismatch,
  ]
}
