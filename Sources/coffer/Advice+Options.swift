internal import CoreDataModel

extension CofferError.Advice {
  /// The advice as a sentence that names this program's options.
  var optionText: String {
    switch self {
    case .allowReplacing: "Choose another name, or use --force to replace it."
    case .raiseLimit(let name):
      "If you trust the archive, raise the limit: --archive-limit \(name)=FACTOR"
    case .trustSchema:
      "If you know who wrote the statement, restore it anyway: coffer import SOURCE STORE --trust-schema, where "
        + "SOURCE is an archive or VAULT#ID."
    case .chooseTemporaryFolder:
      "Set TMPDIR to another folder, or use --temporary-folder if the command has it."
    case .salvageStore:
      "To recover everything readable: coffer rescue STORE --output NEW"
    case .salvageArchive: "To restore its intact parts: coffer rescue ARCHIVE --output NEW"
    case .acceptFindings: "Without --strict, the store is restored as it was."
    case .acceptNewFindings:
      "Nothing was written. Without --strict, the changes are made despite the errors."
    case .dropHistory: "Use --history drop with --store-uuid new, or keep the UUID."
    case .dropCloudKit: "Use --cloudkit drop with --store-uuid new, or keep the UUID."
    case .allowMirrored:
      "Export it, and change the copy that --cloudkit drop restores; or use --allow-mirrored if no other "
        + "device has the data."
    case .choosePolicy:
      "Nothing was written. Choose which store wins with --prefer ours or --prefer theirs, or change one of them."
    case .giveIdentity: "Use --identity FILE or --passphrase-file FILE."
    case .givePassphrase: "Pass the file with the right passphrase: --passphrase-file FILE."
    case .decryptIdentities: "Decrypt it and pass a pipe: --identity <(age -d FILE)"
    case .chooseFramework(let oldest): "Use --framework \(oldest) or later."
    case .giveExampleStore:
      "Pass a store of the same model that Core Data created: a fresh one from a simulator, any user's store of "
        + "that version, or a test fixture: --like STORE"
    case .nameSourceModel:
      "Pass the model that it was created with, by version or path: --from MODEL"
    case .giveModel: "Pass the model of the app: --model MODEL"
    case .allowLoss:
      "Check that this is the right model. To migrate without these objects, use --allow-loss."
    case .treatPolicyAsDefault(let name):
      "Migrate in the app, or leave the values that the class computes empty: --policy-default \(name)"
    case .chooseMapping: "Name the mapping model to carry out: --mapping FILE"
    case .fitMapping:
      "Pass the mapping model for these versions, or a folder of mapping models, which are found by their "
        + "versions: --mapping-folder FOLDER"
    case .chooseKey:
      "Name the properties that identify the objects of an entity: --match Entity=property"
    case .mergeDuplicates(let entity):
      "Merge them first (coffer dedupe STORE --match \(entity)=PROPERTY,…), or name other properties that "
        + "identify them: --match \(entity)=PROPERTY,…"
    case .identifyObjects(let entity):
      "Name what identifies them (--match \(entity)=PROPERTY,…), give the state that both stores come from "
        + "(--base), or use --match-by-object-id for copies of one store."
    case .mapTable(let name): "Name the file after its entity, or pass --map ENTITY=\(name)."
    case .nameKeys:
      "References are primary keys, unless you name another key of the entity: --key ENTITY=ATTRIBUTE"
    case .nameColumn(let entity):
      "Rename or remove the column. If it is the key of \(entity): --key \(entity)=COLUMN"
    case .chooseDuplicates:
      "Remove it, or choose the object that remains: --on-duplicate first|last|merge"
    case .giveDateFormat:
      "Write dates as 2024-05-01T12:30:00+02:00, or specify their format, such as --date-format '%d.%m.%Y'."
    case .restoreBackup(let id, let time):
      "The latest intact backup of the store is from \(time). To restore it: --id \(id)"
    case .listBackups(let vault): "To list the backups: coffer vault list \(vault)"
    case .migrateFirst:
      "Migrate the older store first: coffer migrate STORE NEWSTORE --model MODEL"
    case .takeModel:
      "If both have one model, add the copy first: coffer repair STORE --model OTHER --apply. Stores from before "
        + "macOS 10.11 and iOS 9 keep none."
    case .inspectChanges(let path): "To look at them: coffer inspect \(path)"
    case .writeChanges(let path): "To make a change file: coffer diff STORE \(path) -o CHANGES"
    case .restoreOrCompare:
      "Restore the backup that they belong to, or write changes with: coffer diff A B -o FILE"
    case .compareStates:
      "Apply the changes to a store in the state that they start from; `coffer diff` shows the differences."
    case .listUnusedFiles: "`coffer verify` lists external files that nothing refers to."
    case .sentence, .chooseEntity: description
    }
  }
}
