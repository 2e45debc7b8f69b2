extension CofferError {
  /// What to do about an error.
  ///
  /// Steps that depend on the caller are cases, so that an app or the program can state them in its
  /// own terms; ``description`` uses the library's, and documents the cases.
  package enum Advice: Sendable, Hashable {
    /// A step that is the same for every caller.
    case sentence(String)
    case allowReplacing
    /// Raise a limit of archives if the archive is trusted. The value is the name of the limit.
    case raiseLimit(String)
    case trustSchema
    case chooseTemporaryFolder
    case salvageStore
    case salvageArchive
    case acceptFindings
    case acceptNewFindings
    case dropHistory
    case dropCloudKit
    case allowMirrored
    case choosePolicy
    case giveIdentity
    case givePassphrase
    case decryptIdentities
    /// Choose a framework of at least this version.
    case chooseFramework(Int64)
    case giveExampleStore
    case nameSourceModel
    case giveModel
    case allowLoss
    /// Treat a class of the app in a mapping model like the standard one. The value is its name.
    case treatPolicyAsDefault(String)
    case chooseMapping
    case fitMapping
    case chooseKey
    /// Merge the objects with the same values, or identify objects by others. The value is the name of the
    /// entity.
    case mergeDuplicates(String)
    /// Say how to match the objects of two stores. The value is the name of an entity.
    case identifyObjects(String)
    case chooseEntity([Name])
    /// Name the entity of a table. The value is the name of the table.
    case mapTable(String)
    case nameKeys
    /// Rename or remove a column of a table, or say that it is a key. The value is the name of the entity.
    case nameColumn(Name)
    case chooseDuplicates
    case giveDateFormat
    /// Restore this backup, the latest one of the store that is intact. The values are its ID and its time.
    case restoreBackup(id: String, time: String)
    /// List the backups in a vault. The value is its location.
    case listBackups(String)
    case migrateFirst
    case takeModel
    /// Inspect a change file. The value is its path.
    case inspectChanges(String)
    /// Compare a store with an archive, and write the differences to a file. The value is the path of the archive.
    case writeChanges(String)
    case restoreOrCompare
    case compareStates
    case listUnusedFiles
  }
}

extension CofferError.Advice: ExpressibleByStringInterpolation {
  /// The step that a literal says.
  package init(stringLiteral value: String) { self = .sentence(value) }
}

extension CofferError.Advice: CustomStringConvertible {
  /// The step as a sentence, without the options of any program.
  package var description: String {
    switch self {
    case .sentence(let text): text
    case .allowReplacing: "Choose another name, or allow it to be replaced."
    case .raiseLimit(let name): "If you trust the archive, raise the limits of the group \(name)."
    case .trustSchema:
      "Check store/schema.json in the archive. If you know who created it, trust its schema to restore "
        + "it anyway."
    case .chooseTemporaryFolder: "Choose another folder for temporary files."
    case .salvageStore: "Salvage the store to export everything that is readable."
    case .salvageArchive: "Salvage the archive to restore its intact parts."
    case .acceptFindings: "An import that is not strict restores the store as it was."
    case .acceptNewFindings:
      "Nothing was written. If they are not applied strictly, the changes are made despite the errors."
    case .dropHistory: "Drop the history from a store with a new UUID, or keep the UUID."
    case .dropCloudKit: "Drop the CloudKit state from a store with a new UUID, or keep the UUID."
    case .allowMirrored:
      "Change a copy that is restored without the CloudKit state, or allow it if no other device has the "
        + "data."
    case .choosePolicy:
      "Nothing was written. Choose the policy for conflicts, or change one of them."
    case .giveIdentity: "Give an identity or a passphrase that opens it."
    case .givePassphrase: "Give the right passphrase."
    case .decryptIdentities: "Decrypt it with age first."
    case .chooseFramework(let oldest): "Choose framework version \(oldest) or later."
    case .giveExampleStore:
      "Give a store of the same model that Core Data created: a fresh one from a simulator, any user's store of "
        + "that version, or a test fixture."
    case .nameSourceModel: "Give the model that it was created with."
    case .giveModel: "Give the model of the app."
    case .allowLoss: "Check that this is the right model, or allow the loss."
    case .treatPolicyAsDefault(let name):
      "Migrate in the app, or treat \(name) like the standard class, which leaves the values that it computes empty."
    case .chooseMapping: "Name the mapping model to carry out."
    case .fitMapping:
      "Give the mapping model for these versions, or a folder of mapping models, which are found by their versions."
    case .chooseKey: "Name the properties that identify the objects of an entity."
    case .mergeDuplicates(let entity):
      "Merge the objects of \(entity) with the same values first, or identify them by other properties."
    case .identifyObjects(let entity):
      "Name what identifies objects of \(entity), give the state that both stores come from, or match "
        + "copies of one store by object ID."
    case .chooseEntity(let names): "Available: \(names.joined(separator: ", "))"
    case .mapTable: "Name the file after its entity, or name the entity separately."
    case .nameKeys:
      "References are primary keys unless you name the values that tables use to refer to objects of an "
        + "entity."
    case .nameColumn(let entity):
      "Rename or remove the column, or declare it as the key of \(entity)."
    case .chooseDuplicates: "Remove it, or choose the object that remains."
    case .migrateFirst: "Migrate the older store to the newer model first."
    case .takeModel: "If both have one model, repair it with the other one's model first."
    case .inspectChanges: "Inspect it as a change file."
    case .writeChanges: "Compare the store with it, and keep the difference in a file."
    case .restoreOrCompare:
      "Restore the backup that they belong to, or compare both states again and keep the difference in a file."
    case .compareStates:
      "Apply the changes to a store in the state that they start from; a comparison shows the differences."
    case .listUnusedFiles: "A verification lists external files that nothing refers to."
    case .giveDateFormat: "Write dates as 2024-05-01T12:30:00+02:00, or specify their format."
    case .restoreBackup(let id, let time):
      "Restore \(id) from \(time), which is the latest intact backup of the store."
    case .listBackups(let vault): "List the backups in \(vault), and choose one of them."
    }
  }
}
