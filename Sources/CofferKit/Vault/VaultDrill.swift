internal import CoreDataModel
internal import CoreDataStore

/// What a drill restores, and what it accepts.
public struct VaultDrillOptions: Sendable, Equatable {
  /// How many backups of each store are restored: the latest one, and others that are evenly spread over
  /// those before; at least 1.
  public var sampleSize = 1
  /// Errors in the data that are no problem, such as a file that was missing when the store was backed up.
  public var skippedCodes: Set<FindingCode> = []

  /// Creates options for the latest backup of each store.
  public init() {}
}

extension Vault {
  /// Restores backups to a private temporary folder, and checks what comes back.
  ///
  /// Each store that is restored is verified, and its content digest is compared with that of the backup.
  /// One is there at a time. Nothing in the vault is changed.
  ///
  /// - Parameters:
  ///   - options: which backups.
  ///   - store: the only store; nil for all.
  /// - Returns: the backups that were restored, and what is wrong with them.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup`, an error about a missing key or the
  ///   temporary folder, or what the place reports; `CancellationError`.
  public func drill(
    _ options: VaultDrillOptions = VaultDrillOptions(), of store: String? = nil
  ) throws -> VaultCheckSummary {
    var run = VaultDrillRun(vault: self, options: options, listing: try listing())
    let all = try backups(of: store)
    for uuid in Set(all.map(\.storeUUID)).sorted() {
      let backups = all.filter { $0.storeUUID == uuid }
      for backup in Self.sample(of: backups, options.sampleSize) { try run.drill(backup) }
    }
    return run.summary
  }

  /// The last of some backups and others, evenly spread.
  static func sample(of backups: [Backup], _ size: Int) -> [Backup] {
    guard size < backups.count else { return backups }
    guard size > 1 else { return backups.suffix(1) }
    return (0..<size).map { backups[$0 * (backups.count - 1) / (size - 1)] }
  }
}

/// A drill: one backup after the other.
private struct VaultDrillRun {
  let vault: Vault
  let options: VaultDrillOptions
  let listing: VaultListing
  private(set) var summary = VaultCheckSummary()

  init(vault: Vault, options: VaultDrillOptions, listing: VaultListing) {
    (self.vault, self.options, self.listing) = (vault, options, listing)
  }

  /// Restores one backup and checks it.
  mutating func drill(_ backup: Backup) throws {
    try Task<Never, Never>.checkCancellation()
    do {
      let problem = try problem(of: backup)
      add(backup, problem)
    } catch let error as CofferError {
      try Task<Never, Never>.checkCancellation()
      guard !error.preventsCheck else { throw error }
      // Somebody may have forgotten it meanwhile.
      guard
        try vault.listing().backups[backup.storeUUID]?.contains(where: { $0.id == backup.id })
          == true
      else { return }
      add(backup, (.notRestored, error.description))
    }
  }

  private mutating func add(
    _ backup: Backup, _ problem: (kind: VaultProblem.Kind, detail: String)?
  ) {
    summary.backups.append(backup)
    summary.readByteCount += backup.byteCount
    guard let problem else { return }
    if problem.kind != .invalidData { summary.unusable.insert(backup.id) }
    summary.problems.append(
      VaultProblem(kind: problem.kind, backup: backup, detail: problem.detail))
  }

  /// What is wrong with what comes back of a backup; nil for nothing.
  private func problem(
    of backup: Backup
  ) throws -> (kind: VaultProblem.Kind, detail: String)? {
    let folder = try vault.workFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try folder.makeFolder("store") + "/Restored.sqlite"
    let expected = try restore(backup, to: path).contentDigest
    let digest = try StoreExporter().contentDigest(of: PersistentStore.opened(path, .inPlace))
    guard digest == expected, digest.hasPrefix(backup.contentDigestPrefix) else {
      return (
        .otherState, "the restored store has the content digest \(digest), which is another state"
      )
    }
    var (count, first) = (0, Finding?.none)
    try verifier.verify(path) { finding in
      guard finding.severity == .error else { return }
      count += finding.multiplicity
      first = first ?? finding
    }
    guard let first else { return nil }
    let others = count > 1 ? "; \(count - 1) more" : ""
    return (.invalidData, "\(first.description)\(others)")
  }

  /// Restores a backup; what is put together of it goes before the store is read.
  private func restore(_ backup: Backup, to path: String) throws -> ImportSummary {
    let opened = try vault.open(backup, listing)
    defer { withExtendedLifetime(opened) {} }
    var importer = StoreImporter(progress: vault.progress)
    importer.options.archiveAccess = vault.archiveAccess
    return try importer.import(opened.path, to: path)
  }

  private var verifier: Verifier {
    var options = VerificationOptions()
    options.skippedCodes = self.options.skippedCodes
    options.access = .inPlace
    options.temporaryFolder = vault.archiveAccess.temporaryFolder
    return Verifier(options: options, progress: vault.progress)
  }
}
