internal import CoreDataModel

extension CofferError.Advice {
  /// The step as a sentence that names the options of this program.
  var optionText: String {
    switch self {
    case .allowReplacing: "Choose another name, or use --force to replace it."
    case .raiseLimit(let name): "If you trust the archive, raise the limit: --limit \(name)=VALUE"
    case .trustSchema:
      "Look at store/schema.json in the archive. If you know who made it, --trust-schema restores it "
        + "all the same."
    case .chooseTemporaryFolder: "Choose another folder with --temporary-folder."
    case .salvageStore: "To export everything readable: coffer export STORE ARCHIVE --salvage"
    case .salvageArchive: "`coffer import --salvage` restores what is whole of it."
    case .acceptFindings: "Without --strict the store is restored as it was."
    case .dropHistory: "Use --history drop with --store-uuid new, or keep the UUID."
    case .dropCloudKit: "Use --cloudkit drop with --store-uuid new, or keep the UUID."
    case .giveIdentity: "Use --identity FILE or --passphrase-file FILE."
    case .givePassphrase: "Pass the file with the right passphrase: --passphrase-file FILE."
    case .decryptIdentities: "Decrypt it and give a pipe: --identity <(age -d FILE)"
    case .chooseFramework(let oldest): "Give \(oldest) or a later one with --framework."
    case .giveExampleStore: "Give a store of the same model that Core Data made: --like STORE."
    case .nameSourceModel:
      "Name the model that it was made with: --from VERSION, or --from a model's path."
    case .allowLoss:
      "Check that this is the right model. To leave these objects behind, use --allow-loss."
    case .sentence, .chooseEntity: description
    }
  }
}
