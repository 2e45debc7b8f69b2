internal import BackupPlaces
internal import CoreDataArchive
internal import CoreDataModel

/// Something that is wrong in a vault.
public struct VaultProblem: Sendable, Equatable {
  /// What is wrong.
  public enum Kind: String, Sendable, CaseIterable {
    /// A backup begins with a state that is not in the vault.
    case brokenChain = "broken-chain"
    /// A file is not what it was when it was written.
    case damagedFile = "damaged-file"
    /// The state in a file is not the one that its name says, or that of another store.
    case otherState = "other-state"
    /// The latest backup is too old.
    case tooOld = "too-old"
    /// A full archive is much smaller than the one before.
    case shrunk
    /// A drill could not restore the backup.
    case notRestored = "not-restored"
    /// The store that a drill restored has errors in its data.
    case invalidData = "invalid-data"
  }

  /// What is wrong.
  public var kind: Kind
  /// The UUID of the store.
  public var storeUUID: String
  /// The backup.
  public var backup: Backup
  /// Why.
  public var detail: String
}

/// What a check of a vault looks at.
public struct VaultCheckOptions: Sendable, Equatable {
  /// Whether to read every file completely, against its digests.
  public var readsData = false
  /// The greatest age of the latest backup of each store in seconds; nil for any.
  public var greatestAge: Int64?
  /// The smallest size of a full archive in proportion to the one before; nil for any.
  public var smallestSizeRatio: Double?

  /// Creates options for a check of names only.
  public init() {}
}

/// The result of a check of a vault.
public struct VaultCheckSummary: Sendable, Equatable {
  /// The backups that were looked at.
  public var backups: [Backup] = []
  /// What is wrong, store by store, in the order of the backups.
  public var problems: [VaultProblem] = []
  /// The number of bytes that were read.
  public var readByteCount = 0

  /// The backups that cannot be restored: damaged ones, and all that need them.
  public var unusable: Set<String> = []
}

extension Vault {
  /// Checks that the backups are whole, recent and not suddenly small.
  ///
  /// If all data are read and a backup with everything that it needs is intact, it is noted as verified,
  /// so that no policy forgets it.
  ///
  /// - Parameters:
  ///   - options: what is looked at.
  ///   - store: the only store; nil for all.
  /// - Returns: what is wrong.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup`, an error about a missing key, or what the
  ///   place reports; `CancellationError`.
  public func check(
    _ options: VaultCheckOptions = VaultCheckOptions(), of store: String? = nil
  ) throws -> VaultCheckSummary {
    try check(options, of: store, now: .now)
  }

  /// Checks the backups at a time.
  package func check(
    _ options: VaultCheckOptions, of store: String?, now: BackupTime
  ) throws -> VaultCheckSummary {
    var run = VaultCheckRun(self, options, try listing(), now)
    let all = try backups(of: store)
    for uuid in Set(all.map(\.storeUUID)).sorted() {
      try run.check(all.filter { $0.storeUUID == uuid })
    }
    return run.summary
  }
}

/// A check of a vault.
private struct VaultCheckRun {
  private let vault: Vault
  private let options: VaultCheckOptions
  private let listing: VaultListing
  private let now: BackupTime
  private(set) var summary = VaultCheckSummary()

  init(_ vault: Vault, _ options: VaultCheckOptions, _ listing: VaultListing, _ now: BackupTime) {
    (self.vault, self.options, self.listing, self.now) = (vault, options, listing, now)
  }

  /// Checks the backups of one store, the oldest first.
  mutating func check(_ backups: [Backup]) throws {
    summary.backups += backups
    var damaged: Set<String> = []
    var lastFull: Backup?
    for backup in backups {
      try Task<Never, Never>.checkCancellation()
      if options.readsData, let problem = try read(backup) {
        summary.problems.append(problem)
        damaged.insert(backup.fileName)
      }
      checkSize(of: backup, after: &lastFull)
    }
    var intact: Backup?
    for backup in backups {
      if isUsable(backup, damaged) { intact = backup } else { summary.unusable.insert(backup.id) }
    }
    if let latest = backups.last { checkAge(of: latest) }
    if options.readsData, let intact { try vault.noteVerified(intact, at: now) }
  }

  /// Whether a backup with all that it needs is there and not damaged.
  private mutating func isUsable(_ backup: Backup, _ damaged: Set<String>) -> Bool {
    do throws(CofferError) {
      let chain = try listing.chain(of: backup, vault: vault.location)
      return !chain.contains { damaged.contains($0.fileName) }
    } catch {
      add(.brokenChain, backup, error.detail)
      return false
    }
  }

  private mutating func checkSize(of backup: Backup, after last: inout Backup?) {
    guard backup.kind == .full else { return }
    if let ratio = options.smallestSizeRatio, let last,
      Double(backup.byteCount) < Double(last.byteCount) * ratio
    {
      add(
        .shrunk, backup,
        "it has \(backup.byteCount) bytes, and the full archive before it, \(last.id), has "
          + "\(last.byteCount)")
    }
    last = backup
  }

  private mutating func checkAge(of latest: Backup) {
    let age = now.secondsSince1970 - latest.time.secondsSince1970
    guard let greatest = options.greatestAge else { return }
    // A clock that was wrong once must not hide that nothing has been written since.
    if age < -86_400 {
      add(.tooOld, latest, "the latest backup is from \(latest.time), which is in the future")
    }
    if age > greatest { add(.tooOld, latest, "the latest backup is from \(latest.time)") }
  }

  private mutating func add(_ kind: VaultProblem.Kind, _ backup: Backup, _ detail: String) {
    summary.problems.append(
      VaultProblem(kind: kind, storeUUID: backup.storeUUID, backup: backup, detail: detail))
  }

  // MARK: Reading

  /// Reads a file completely.
  ///
  /// - Returns: what is wrong with it; nil for nothing.
  private mutating func read(_ backup: Backup) throws -> VaultProblem? {
    do {
      let folder = try vault.workFolder()
      defer { withExtendedLifetime(folder) {} }
      let path = try vault.download(backup, to: folder)
      let (uuid, before, after) = try states(backup, path)
      summary.readByteCount += backup.byteCount
      guard uuid == backup.storeUUID, after?.hasPrefix(backup.name.content) == true,
        backup.name.base.map({ before?.hasPrefix($0) == true }) ?? true
      else {
        return VaultProblem(
          kind: .otherState, storeUUID: backup.storeUUID, backup: backup,
          detail: "its content is not the one that its name says")
      }
      return nil
    } catch let error as CofferError {
      try Task<Never, Never>.checkCancellation()
      guard !error.preventsCheck else { throw error }
      return VaultProblem(
        kind: .damagedFile, storeUUID: backup.storeUUID, backup: backup, detail: error.description)
    }
  }

  /// The UUID of the store, and the content digests before and after, of a file that is read completely.
  private func states(
    _ backup: Backup, _ path: String
  ) throws -> (uuid: String?, before: String?, after: String?) {
    guard backup.kind == .full else {
      let changes = StoreChanges(path, access: vault.archiveAccess)
      try changes.verify()
      let file = try ChangesFile(path: path, access: vault.archiveAccess)
      return (file.documents.manifest.storeUUID, file.before.digest, file.after.digest)
    }
    let archive = try OpenArchive(path: path, access: vault.archiveAccess)
    for entry in archive.file.index.entries {
      try Task<Never, Never>.checkCancellation()
      try unsafe archive.file.readPieces(of: entry.name) { _ in }
    }
    return (archive.documents.manifest.storeUUID, nil, archive.fingerprint.content.hex)
  }
}

extension CofferError {
  /// Whether the error says nothing about a backup, only that it cannot be checked here.
  var preventsCheck: Bool {
    switch code {
    case .encryptedArchive, .noMatchingIdentity, .wrongPassphrase, .placeUnreachable,
      .accessDenied, .temporaryStorageFailed, .readFailed, .writeFailed, .newerFormat,
      .unsupportedCompression, .unsupportedEncryption:
      true
    default: false
    }
  }
}

extension Vault {
  /// Notes that a backup can be restored, so that it stays.
  func noteVerified(_ backup: Backup, at time: BackupTime) throws {
    let folder = try workFolder()
    defer { withExtendedLifetime(folder) {} }
    let document = VerifiedDocument(id: backup.id, time: time.description)
    try place.put(
      "\(backup.storeUUID)/\(VerifiedDocument.fileName)",
      from: folder.write(document.bytes, to: VerifiedDocument.fileName))
  }
}
