internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataModel

/// Reads the files of a store's backups completely, and finds which backups cannot be restored.
///
/// Each file is read once against its digests. The states of a chain are computed once, at its end: each
/// link was checked to start from the state at which the previous one ends.
struct VaultReading {
  private let vault: Vault
  /// The problems, in the order in which they were found.
  private(set) var problems: [VaultProblem] = []
  /// The IDs of the backups that cannot be restored because of it.
  private(set) var unusable: Set<String> = []
  private(set) var byteCount = 0
  /// The first error about a key, while no encrypted file could be opened.
  private var keyError: CofferError?
  private var hasOpenedEncrypted = false
  private var progress = WorkProgress(.backups)

  init(_ vault: Vault) { self.vault = vault }

  /// Reads the files of backups.
  ///
  /// - Throws: ``CofferError``: an error about a key that opens no file, errors of the place;
  ///   `CancellationError`.
  mutating func read(_ chains: [[Backup]]) throws {
    var groups: [String: [[Backup]]] = [:]
    for chain in chains { groups[chain[0].fileName, default: []].append(chain) }
    progress.total = Set(chains.joined().map(\.fileName)).count
    vault.progress.report(progress)
    for name in groups.keys.sorted() { try readFiles(of: groups[name] ?? []) }
    if let keyError, !hasOpenedEncrypted { throw keyError }
  }

  /// Reads all files of some chains that begin with the same file.
  private mutating func readFiles(of chains: [[Backup]]) throws {
    let files = try VaultFiles(of: vault)
    defer { withExtendedLifetime(files) {} }
    var (seen, damaged) = (Set<String>(), Set<String>())
    for file in chains.joined() where seen.insert(file.fileName).inserted {
      let problem = try read(file, files)
      progress.completed += 1
      vault.progress.report(progress)
      guard let problem else { continue }
      problems.append(problem)
      damaged.insert(file.fileName)
    }
    // From the latest: what leads to a state that is right is right.
    var right: Set<String> = []
    for chain in chains.reversed() {
      guard let backup = chain.last else { continue }
      if chain.contains(where: { damaged.contains($0.fileName) }) {
        unusable.insert(backup.id)
      } else if chain[0].kind == .full, chain.count > 1, !right.contains(backup.fileName) {
        if let problem = try readState(of: chain, to: backup, files) {
          problems.append(problem)
          unusable.insert(backup.id)
        } else {
          right.formUnion(chain.map(\.fileName))
        }
      }
    }
  }

  /// Reads a file completely; returns what is wrong with it, or nil for nothing.
  private mutating func read(_ backup: Backup, _ files: VaultFiles) throws -> VaultProblem? {
    do {
      try Task<Never, Never>.checkCancellation()
      let (uuid, before, after) = try states(backup, files.path(of: backup))
      byteCount += backup.byteCount
      if backup.isEncrypted { hasOpenedEncrypted = true }
      guard uuid == backup.storeUUID, after?.hasPrefix(backup.name.content) == true,
        backup.name.base.map({ before?.hasPrefix($0) == true }) ?? true
      else {
        return VaultProblem(
          kind: .otherState, backup: backup, detail: "its content does not match its name"
        )
      }
      return nil
    } catch let error as CofferError {
      return try problem(.damagedFile, of: backup, files.explained(error))
    }
  }

  /// The UUID of the store, and the content digests before and after, of a file that is read completely.
  private func states(
    _ backup: Backup, _ path: String
  ) throws -> (uuid: String?, before: String?, after: String?) {
    guard backup.kind == .full else {
      try StoreChanges(path, environment: vault.environment).verify()
      let file = try ChangesFile(path: path, environment: vault.environment)
      return (file.documents.manifest.storeUUID, file.before.digest, file.after.digest)
    }
    let archive = try OpenArchive(path: path, environment: vault.environment)
    for entry in archive.file.index.entries {
      try Task<Never, Never>.checkCancellation()
      try unsafe archive.file.readPieces(of: entry.name) { _ in }
    }
    return (archive.documents.manifest.storeUUID, nil, archive.fingerprint.content.hex)
  }

  /// Computes the state at the end of undamaged files; returns what is wrong with it, or nil for nothing.
  private mutating func readState(
    of chain: [Backup], to backup: Backup, _ files: VaultFiles
  ) throws -> VaultProblem? {
    do {
      try files.read(chain) { try $0.verify() }
      return nil
    } catch let error as CofferError {
      return try problem(.brokenChain, of: backup, error)
    }
  }

  /// The problem of a file by its error; throws an error that the file did not cause.
  private mutating func problem(
    _ kind: VaultProblem.Kind, of backup: Backup, _ error: CofferError
  ) throws -> VaultProblem {
    try Task<Never, Never>.checkCancellation()
    if error.code == .noMatchingIdentity, backup.isEncrypted {
      // The part of the file for the recipients may be damaged.
      keyError = keyError ?? error
    } else if error.preventsCheck {
      throw error
    }
    return VaultProblem(kind: kind, backup: backup, detail: error.description)
  }
}
