/// The codes of findings about the store's system tables.
extension FindingCode {
  /// The store metadata is missing.
  public static let missingMetadata = FindingCode(
    text: "missing-metadata", severity: .error, check: .metadata,
    meaning: "the store metadata is missing",
    cause: "SQL that emptied or dropped the table, or a store that was recovered piece by piece.",
    effect: "The app cannot open the store: without metadata, Core Data does not recognize it.",
    remedy: """
      Restore an older backup. Without one, copy the metadata from another store of the same app \
      and version.
      """,
    fix: .derived(
      "Copy the row from another store of the same app and version with SQL, and give it a UUID."),
    tool: .rescueWithModel,
    consequences: ["check-not-run"])
  /// There is more than one row of store metadata.
  public static let surplusMetadata = FindingCode(
    text: "surplus-metadata", severity: .error, check: .metadata,
    meaning: "there is more than one row of store metadata",
    cause: "SQL, or a tool that copied rows from one store to another.",
    effect: """
      Core Data reads one of the rows. If it is the wrong one, the store has another UUID and may \
      not match the app's model.
      """,
    remedy: "Find the store's own row by the UUID in older backups, and remove the other.",
    fix: .none("Decide which row is the store's own; the UUID in an older backup shows it."))
  /// The store metadata names another type of store than SQLite.
  public static let wrongStoreType = FindingCode(
    text: "wrong-store-type", severity: .error, check: .metadata,
    meaning: "the store metadata names another type of store than SQLite",
    cause: "SQL, or a tool that copied the metadata from a store of another type, such as XML.",
    effect: """
      The app cannot open the store: Core Data compares the type in the metadata with the type \
      that the app asks for.
      """,
    remedy: "Restore an older backup, or correct the type in the metadata.",
    fix: .lossless("Write the type `SQLite` to the metadata."))
  /// The UUID of the store is missing or malformed.
  public static let invalidStoreUUID = FindingCode(
    text: "invalid-store-uuid", severity: .error, check: .metadata,
    meaning: "the UUID of the store is missing or malformed",
    cause: "SQL, or a tool that created the store with its own identifier.",
    effect: """
      Object URIs that the app saved no longer lead to their objects. Merging and synchronization \
      take the store for another one.
      """,
    remedy: """
      Restore the UUID from an older backup. If no URIs are saved anywhere, import an archive of \
      the store with a new UUID.
      """,
    fix: .lossy("Import an archive of the store with a new UUID: saved URIs then refer to nothing.")
  )
  /// The property list of the store metadata cannot be read.
  public static let unreadableMetadata = FindingCode(
    text: "unreadable-metadata", severity: .error, check: .metadata,
    meaning: "the property list of the store metadata cannot be read",
    cause: "A save that was interrupted while the store was created, SQL, or damage.",
    effect: """
      The app cannot open the store: the version hashes that identify its model are gone, and so \
      is everything that the app keeps in the metadata.
      """,
    remedy: """
      Restore an older backup. Without one, copy the property list from another store of the same \
      app and version.
      """,
    fix: .derived(
      "Copy the property list from another store of the same app and version with SQL."),
    tool: .rescueWithModel,
    consequences: ["check-not-run"])
  /// The store metadata has no version hash for an entity of the model.
  public static let missingVersionHash = otherVersionHashes(
    "missing-version-hash",
    meaning: "the store metadata has no version hash for an entity of the model",
    fix: .derived("Copy the hash from another store of the same app and version."))
  /// The store metadata has no version hash at all.
  public static let noVersionHashes = FindingCode(
    text: "no-version-hashes", severity: .warning, check: .versionHashes,
    meaning: "the store metadata has no version hash at all",
    cause: """
      The store was made from a model without version hashes, such as a model source: only Core \
      Data can compute them.
      """,
    effect: """
      Core Data takes the store for one of another model (Cocoa error 134100), and migrates or \
      refuses it. Nothing else is wrong with it.
      """,
    remedy: """
      To open it with Core Data, make it again from the compiled model (.momd), or with a store of \
      the same model as an example.
      """,
    fix: .derived("Copy the hashes from another store of the same app and version."))
  /// The store metadata has a version hash for an entity that the model lacks.
  public static let surplusVersionHash = otherVersionHashes(
    "surplus-version-hash",
    meaning: "the store metadata has a version hash for an entity that the model lacks",
    fix: .derived(
      """
      Remove the hash from the metadata, or copy all hashes from another store of the same app \
      and version.
      """))
  /// The digest of the version hashes does not match the hashes.
  public static let versionDigestMismatch = FindingCode(
    text: "version-digest-mismatch", severity: .error, check: .versionHashes,
    meaning: "the digest of the version hashes does not match the hashes",
    cause: "A tool that changed the version hashes but not the digest, or damage to the metadata.",
    effect: """
      Newer systems compare the digest before the hashes, so the app may migrate or refuse a store \
      that matches its model.
      """,
    remedy:
      "Restore an older backup. If the hashes are right, the digest can be computed from them.",
    fix: .lossless("Compute the digest from the hashes, and write it to the metadata."))
  /// The checksum of the model does not match the version hashes.
  public static let versionChecksumMismatch = FindingCode(
    text: "version-checksum-mismatch", severity: .error, check: .versionHashes,
    meaning: "the checksum of the model does not match the version hashes",
    cause:
      "A tool that changed the version hashes but not the checksum, or damage to the metadata.",
    effect: """
      Newer systems use the checksum to find the version of the model, so a staged migration may \
      begin at the wrong version or not at all.
      """,
    remedy:
      "Restore an older backup. If the hashes are right, the checksum can be computed from them.",
    fix: .lossless("Compute the checksum from the hashes, and write it to the metadata."))
  /// The store has no copy of its model although its framework writes one.
  public static let missingModelCache = FindingCode(
    text: "missing-model-cache", severity: .warning, check: .modelCache,
    meaning: "the store has no copy of its model although its framework writes one",
    cause:
      "SQL, a tool that created or repaired the store, or a store whose creation was interrupted.",
    effect: """
      The app opens the store with its own model. A lightweight migration that needs the old model \
      fails unless the app includes it.
      """,
    remedy: """
      Nothing, as long as the app opens the store; its next migration writes the copy. To check \
      the store against its model now, pass the model.
      """,
    fix: .derived(
      "Write a copy of the given model. Refused without one. A change file cannot hold that."
    ).automatic,
    tool: .rescueWithModel,
    consequences: ["check-not-run"])
  /// There is more than one copy of the model.
  public static let surplusModelCache = FindingCode(
    text: "surplus-model-cache", severity: .warning, check: .modelCache,
    meaning: "there is more than one copy of the model",
    cause: "SQL, or a tool that copied rows from one store to another.",
    effect: """
      The app opens the store with its own model. A migration reads one of the copies, and fails \
      or loses data if it is the wrong one.
      """,
    remedy: "Verify the store with the model of the app's version, and remove the other copies.",
    fix: .none("Decide which copy is the model that the version hashes name."))
  /// The store's copy of its model cannot be read.
  public static let unreadableModelCache = FindingCode(
    text: "unreadable-model-cache", severity: .error, check: .modelCache,
    meaning: "the store's copy of its model cannot be read",
    cause: "Damage, a tool that wrote it, or a truncated file.",
    effect: """
      The app opens the store with its own model. A lightweight migration that needs the old model \
      fails.
      """,
    remedy: """
      Restore an older backup before the next update of the app. To check the store against its \
      model now, pass the model.
      """,
    fix: .derived(
      "Write a copy of the given model. Refused without one. A change file cannot hold that."
    ).automatic,
    tool: .rescueWithModel,
    consequences: ["check-not-run"])
  /// The table of entity numbers is missing.
  public static let missingNumbering = FindingCode(
    text: "missing-numbering", severity: .error, check: .entityNumbers,
    meaning: "the table of entity numbers is missing",
    cause: "SQL, or a store that was recovered piece by piece.",
    effect: """
      The app cannot open the store: it cannot know which entity a row belongs to and which \
      primary keys are taken.
      """,
    remedy: """
      Restore an older backup. Until then, objects are verified with the numbers that the model \
      would assign.
      """,
    fix: .derived(
      """
      Create the table with SQL: the numbers that the model assigns, and the highest keys as \
      counters.
      """),
    consequences: ["check-not-run"])
  /// The store has no number for an entity of the model.
  public static let unnumberedEntity = FindingCode(
    text: "unnumbered-entity", severity: .error, check: .entityNumbers,
    meaning: "the store has no number for an entity of the model",
    cause: "SQL, an interrupted migration, or a tool that wrote the table.",
    effect: """
      Core Data cannot identify the objects of the entity: the store does not open, or the next \
      insertion fails.
      """,
    remedy: """
      Restore an older backup. If the entity was only renamed and its number has the old name, \
      correct the name.
      """,
    fix: .lossless(
      """
      Add the row, with the number that the objects of the entity have, or the number that the \
      rule assigns if the other entities follow it, and the highest key as the counter. If the \
      number has another name, write the name. Refused if the number cannot be determined. A \
      change file cannot hold that.
      """
    ).automatic,
    consequences: ["unknown-entity", "change-of-unknown-entity"])
  /// The store numbers an entity that the model lacks.
  public static let surplusEntity = FindingCode(
    text: "surplus-entity", severity: .warning, check: .entityNumbers,
    meaning: "the store numbers an entity that the model lacks",
    cause: """
      An entity was removed from the model without a migration of the store, SQL, or a tool that \
      wrote the table.
      """,
    effect: "The app does not know the entity and ignores its objects, if there are any.",
    remedy: """
      Nothing, as long as the app works. Objects of such an entity do not appear in the app: \
      export them if they matter.
      """,
    fix: .none("Decide whether the objects of the entity matter: then export them."))
  /// The store numbers the entity under its renaming identifier.
  public static let renamedEntity = FindingCode(
    text: "renamed-entity", severity: .info, check: .entityNumbers,
    meaning: "the store numbers the entity under its renaming identifier",
    cause: """
      Core Data itself: a lightweight migration renames the entity and leaves the old name in the \
      table of numbers.
      """,
    effect: "None: the app finds the entity by its renaming identifier.",
    remedy: "Nothing.",
    fix: .none("Nothing is wrong."))
  /// The entity's number is not the one that the model assigns.
  public static let unexpectedEntityNumber = FindingCode(
    text: "unexpected-entity-number", severity: .warning, check: .entityNumbers,
    meaning: "the entity's number is not the one that the model assigns",
    cause: """
      A tool that created or merged stores, or SQL. Core Data renumbers the entities at each \
      migration.
      """,
    effect: """
      The app reads the numbers from the store and copes. A later migration may assign the rows of \
      the entity to another one.
      """,
    remedy: """
      Nothing, as long as the app shows the right objects. Verify the store again after a \
      migration.
      """,
    fix: .none("There is nothing to decide as long as the app shows the right objects."))
  /// The store and the model name different superentities.
  public static let wrongSuperentity = FindingCode(
    text: "wrong-superentity", severity: .error, check: .entityNumbers,
    meaning: "the store and the model name different superentities",
    cause: "SQL, a tool that wrote the table, or a model that is not the store's.",
    effect: "Fetches that include subentities find too few objects, or objects of another class.",
    remedy: "Restore an older backup, or find the model that the store was created with.",
    fix: .lossless("Store the superentity that the model names.").automatic)
  /// The store has no table for an entity or relationship of its model.
  public static let missingTable = FindingCode(
    text: "missing-table", severity: .error, check: .schema,
    meaning: "the store has no table for an entity or relationship of its model",
    cause: "An interrupted migration, SQL, or a test file.",
    effect: """
      The app cannot open the store, or fails when it first fetches the entity or uses the \
      relationship.
      """,
    remedy: "Restore an older backup. Everything that exists can still be exported.",
    fix: .lossless(
      """
      Create the table with its indexes and triggers as in a new store of the model. Its rows are \
      gone already. Refused if the model does not determine its name, or if objects refer to lost \
      ones and you do not request that fix too. A change file cannot hold that.
      """
    ).automatic)
  /// The store has no column for a property of its model.
  public static let missingProperty = FindingCode(
    text: "missing-property", severity: .error, check: .schema,
    meaning: "the store has no column for a property of its model",
    cause: "An interrupted migration, SQL, or a test file.",
    effect: "The app cannot open the store, or fails at the first fetch.",
    remedy: "Restore an older backup. Everything that exists can still be exported.",
    fix: .lossless(
      """
      Add the column with its indexes as in a new store of the model. Its values are gone already: \
      the rows get the value from the other side of a relationship, positions in the order of the \
      keys, the default of the attribute, or else nil. Refused if objects would lack a required \
      value. A change file cannot hold that.
      """
    ).automatic,
    tool: .inspection)
  /// The store's model is not the given one.
  public static let modelMismatch = FindingCode(
    text: "model-mismatch", severity: .error, check: .model,
    meaning: "the store's model is not the given one",
    cause: """
      The store and the model are from different versions of the app, or a migration has not \
      happened or was interrupted.
      """,
    effect: """
      With the given model, Core Data considers the store incompatible (Cocoa error 134100), and \
      migrates or refuses it.
      """,
    remedy: """
      Pass the model of the version that wrote the store, or let the app migrate a copy of the \
      store and verify that.
      """,
    fix: .none("Decide which of the two models is meant."))

  static let administrationCodes: [FindingCode] = [
    .missingMetadata, .surplusMetadata, .wrongStoreType, .invalidStoreUUID, .unreadableMetadata,
    .missingVersionHash, .noVersionHashes, .surplusVersionHash, .versionDigestMismatch,
    .versionChecksumMismatch, .missingModelCache, .surplusModelCache, .unreadableModelCache,
    .missingNumbering, .unnumberedEntity,
    .surplusEntity, .renamedEntity, .unexpectedEntityNumber, .wrongSuperentity, .missingTable,
    .missingProperty, .modelMismatch,
  ]

  /// A code for version hashes of entities that the model does not have.
  private static func otherVersionHashes(
    _ text: String, meaning: String, fix: FindingFix
  ) -> FindingCode {
    FindingCode(
      text: text, severity: .error, check: .versionHashes, meaning: meaning,
      cause: """
        An interrupted migration, a tool that wrote the metadata, or metadata of another store or \
        version.
        """,
      effect: """
        The app does not consider the store compatible with its model (Cocoa error 134100), and \
        migrates or refuses it.
        """,
      remedy:
        "Restore an older backup, or copy the hashes from another store of the same app and version.",
      fix: fix)
  }
}
