extension CofferError {
  /// What to do about an error.
  ///
  /// Steps that depend on the caller are cases, so that an app or the program can say them in its own
  /// terms; ``description`` says them in those of the library.
  public enum Advice: Sendable, Hashable {
    /// A step that is the same for every caller.
    case sentence(String)
    /// Choose another place for the output, or allow that what is there is replaced.
    case allowReplacing
    /// Raise a limit of archives, where the archive can be trusted; the value is its name.
    case raiseLimit(String)
    /// Restore the statements of an archive's schema, where its maker is known.
    case trustSchema
    /// Keep temporary data in another folder.
    case chooseTemporaryFolder
    /// Salvage what can be read of a damaged store.
    case salvageStore
    /// Salvage what is whole of a damaged archive.
    case salvageArchive
    /// Restore the store although something in it is an error.
    case acceptFindings
    /// Leave the persistent history out of a store with a new UUID.
    case dropHistory
    /// Leave the mirroring state of CloudKit out of a store with a new UUID.
    case dropCloudKit
    /// Give what opens an encrypted archive.
    case giveIdentity
    /// Give the right passphrase.
    case givePassphrase
    /// Decrypt a file of identities that is protected with a passphrase.
    case decryptIdentities
    /// Name a framework of at least this version.
    case chooseFramework(Int64)
    /// Give a store of the model that Core Data made, from which the new one takes its form.
    case giveExampleStore
    /// Name the model that the store was made with.
    case nameSourceModel
    /// Check the model, or allow that most objects are left behind.
    case allowLoss
    /// Choose one of these entities.
    case chooseEntity([String])
  }
}

extension CofferError.Advice: ExpressibleByStringInterpolation {
  /// The step that a literal says.
  public init(stringLiteral value: String) { self = .sentence(value) }
}

extension CofferError.Advice: CustomStringConvertible {
  /// The step as a sentence, without the options of any program.
  public var description: String {
    switch self {
    case .sentence(let text): text
    case .allowReplacing: "Choose another name, or allow it to be replaced."
    case .raiseLimit(let name): "If you trust the archive, raise the limit \(name)."
    case .trustSchema:
      "Look at store/schema.json in the archive. If you know who made it, trust its schema to restore "
        + "it all the same."
    case .chooseTemporaryFolder: "Choose another folder for temporary files."
    case .salvageStore: "Salvaging exports what can be read, and says what is lost."
    case .salvageArchive: "Salvaging restores what is whole of it."
    case .acceptFindings: "An import that is not strict restores the store as it was."
    case .dropHistory: "Leave the history out of a store with a new UUID, or keep the UUID."
    case .dropCloudKit: "Leave CloudKit's state out of a store with a new UUID, or keep the UUID."
    case .giveIdentity: "Give an identity or a passphrase that opens it."
    case .givePassphrase: "Give the right passphrase."
    case .decryptIdentities: "Decrypt it with age first."
    case .chooseFramework(let oldest): "Choose the framework \(oldest) or a later one."
    case .giveExampleStore: "Give a store of the same model that Core Data made."
    case .nameSourceModel: "Name the model that it was made with."
    case .allowLoss: "Check that this is the right model, or allow the loss."
    case .chooseEntity(let names): "There are: \(names.joined(separator: ", "))"
    }
  }
}
