internal import BackupPlaces
internal import CofferCore
internal import CofferEditing
internal import CofferTables
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

extension Vault {
  /// Backs up a store on the caller's thread.
  @discardableResult
  package func backup(
    storeAt store: String, options: BackupOptions = BackupOptions()
  ) throws -> BackupSummary {
    progress.report(WorkProgress(.opening))
    let opened = try PersistentStore.opened(store, environment.storeAccess)
    return try BackupRun(vault: self, options: options, folder: try workFolder()).run(opened)
  }
}

/// One backup of one store.
struct BackupRun {
  let vault: Vault
  let options: BackupOptions
  let folder: WorkFolder
  private var place: any BackupPlace { vault.place }

  /// The maximum number of names to try if other writers take them meanwhile.
  private static let attempts: Int64 = 60

  func run(_ store: PersistentStore) throws -> BackupSummary {
    let uuid = try storeUUID(store)
    let document = try vaultDocument()
    let source = options.source ?? StoreSource(ofFileAt: store.path)
    let entered = try vault.enterSeries(
      source, uuid, name: options.seriesName, at: options.time ?? .now, folder)
    let series = entered.series
    let cache = StateCache(in: options.cacheFolder, vault: document.id, series: series)
    let drafting = try drafting(document, cache)
    let listing = try vault.listing()
    let base = BackupBase.latest(
      listing, of: series, cache, vault: vault.location, identity: { vault.identity(of: $0) })
    var choice =
      options.isFull ? .full(.requested) : BackupBase.choose(listing, of: series, base)
    var damage: CofferError?
    let state = try base.flatMap { try self.state(of: $0, &damage) }
    while true {
      let draft = try drafting.write(choice, from: state, of: store)
      guard
        var backup = try commit(draft, series, isEncrypted: !document.recipients.isEmpty)
      else {
        choice = .full(.changedMeanwhile)
        continue
      }
      if let state = draft.state, let identity = vault.identity(of: backup, at: draft.path) {
        cache?.keep(
          state.recorder, at: state.path, of: identity, uncomparedCount: draft.uncomparedCount)
      }
      if !draft.missedTables.isEmpty { throw Self.missedChanges(draft.missedTables, of: store) }
      (backup.storeName, backup.source, backup.latestSource) = (source.fileName, source, source)
      return BackupSummary(
        backup: backup, seriesNotice: entered.notice, fullReason: draft.fullReason,
        baseDamage: damage,
        contentDigest: draft.summary.contentDigest,
        objectCount: draft.summary.content.objectCount, findings: draft.summary.findings)
    }
  }

  /// The error for changes that the pages of a store did not show: a defect of coffer.
  private static func missedChanges(_ tables: [String], of store: PersistentStore) -> CofferError {
    CofferError(
      .missedChanges, path: store.path,
      detail: "rows of \(tables.joined(separator: ", ")) changed, and their pages did not show it",
      advice:
        """
        This backup is complete, because all rows were compared for it. Earlier backups since the last full archive \
        may lack changes. Report this with the version of coffer.
        """)
  }

  private func drafting(_ document: VaultDocument, _ cache: StateCache?) throws -> BackupDrafting {
    var exporter = StoreExporter(progress: vault.progress)
    exporter.options.compression = options.compression
    exporter.options.threads = options.threads
    exporter.options.environment.model = vault.environment.model
    if !document.recipients.isEmpty {
      exporter.options.encryption = try ArchiveEncryption(recipients: document.recipients)
    }
    // Where the state stays, so that its file only needs another name.
    return BackupDrafting(
      exporter: exporter, folder: folder, stateFolder: cache?.workFolder() ?? folder,
      comparisonInterval: options.comparisonInterval)
  }

  // MARK: The base

  /// The codes of errors that show a damaged base.
  private static let damage: Set<CofferError.Code> = [
    .truncatedArchive, .damagedArchive, .notAnArchive, .truncatedEncryption, .damagedEncryption,
  ]

  /// The state of a base, remembered or read.
  ///
  /// The damage becomes the error if the base is damaged.
  ///
  /// - Returns: nil if it cannot be read, such as without the key of an encrypted vault.
  private func state(of base: BackupBase, _ damage: inout CofferError?) throws -> StateFile? {
    if let state = base.state { return state }
    do {
      return try VaultFiles(of: vault).read(base.chain) { chain in
        guard chain.contentDigest.hasPrefix(base.backup.name.content) else { return nil }
        let recorder = try StateRecorder(at: folder.path("base"), chain.description)
        return try recorder.finish(chain.read(witness: recorder))
      }
    } catch let error as CofferError {
      if Self.damage.contains(error.code) { damage = error }
      return nil
    }
  }

  // MARK: The vault

  private func storeUUID(_ store: PersistentStore) throws(CofferError) -> String {
    guard let uuid = store.uuid, UUIDText.bytes(uuid) != nil else {
      throw CofferError(
        .refused, path: store.path, detail: "it has no UUID, and a vault identifies stores by it",
        advice: "Export it to an archive instead.")
    }
    return uuid
  }

  /// The vault's description; creates the vault in an empty folder.
  private func vaultDocument() throws -> VaultDocument {
    let files = try place.list("")
    let listing = VaultListing(files)
    if !listing.isVault {
      guard listing.isEmpty else {
        throw CofferError(
          .refused, path: vault.location,
          detail: "it contains files but no \(VaultDocument.fileName), so it is not a vault",
          advice: "Choose a new or empty folder.")
      }
      let recipients = options.recipients ?? []
      if !recipients.isEmpty { _ = try ArchiveEncryption(recipients: recipients) }
      let new = VaultDocument(
        id: UUID().uuidString, created: Instant.now.description, recipients: recipients)
      _ = try place.putIfAbsent(
        VaultDocument.fileName, from: folder.write(new.bytes, to: VaultDocument.fileName))
    }
    // Another writer may have made it in the same moment.
    let document = try vault.document()
    if let recipients = options.recipients, Set(recipients) != Set(document.recipients) {
      throw CofferError(
        .incompatibleChoices, path: vault.location,
        detail: document.recipients.isEmpty
          ? "its backups are not encrypted" : "its backups are encrypted to other recipients",
        advice: "Use another vault, or pass no recipients: a vault remembers its own.")
    }
    return document
  }

  // MARK: The backup

  /// Puts the file in its place: the one write that completes the backup.
  ///
  /// - Returns: the backup; nil, with nothing written, if its base is no longer there, or another state would
  ///   be taken for it.
  private func commit(
    _ draft: BackupDraft, _ series: BackupSeries, isEncrypted: Bool
  ) throws -> Backup? {
    try Task<Never, Never>.checkCancellation()
    let listing = try vault.listing()
    let backups = listing.backups[series] ?? []
    // One that is forgotten from now on stays for an hour, and as long as this backup is listed.
    if let base = draft.base, !backups.contains(where: { $0.name.stem == base.name.stem }) {
      return nil
    }
    let now = options.time ?? .now
    var time = now
    // Others may have written one meanwhile.
    if let last = backups.last, last.moment >= now { time = last.moment.advanced(by: 1) }
    let attributes = try? FileManager.default.attributesOfItem(atPath: draft.path)
    for _ in 0..<Self.attempts {
      let name = BackupName(
        time: time, content: draft.summary.contentDigest,
        base: draft.base?.name.content, compression: options.compression,
        isEncrypted: isEncrypted)
      let backup = Backup(
        series: series, name: name, byteCount: (attributes?[.size] as? Int) ?? 0)
      guard leads(from: draft.base, to: backup, listing) else { return nil }
      guard try place.putIfAbsent(backup.fileName, from: draft.path) else {
        time = time.advanced(by: 1)
        continue
      }
      try vault.requireReadable(backup, draft.path)
      let after = try vault.listing()
      try vault.requireListed(backup, after)
      if let rank = Self.rank(of: backup, after) {
        try place.delete(backup.fileName)
        time = time.advanced(by: rank + 1)
        continue
      }
      guard leads(from: draft.base, to: backup, after) else {
        // Another writer was there between both listings, so that this one has another base than its name.
        try place.delete(backup.fileName)
        return nil
      }
      return backup
    }
    throw CofferError(
      .writeFailed, path: vault.location,
      detail: "other writers keep adding backups to the same series", advice: "Try again.")
  }

  /// The rank of a backup that was just written among the files to which other writers gave the same time and
  /// state, with another base or as a full archive; nil if it is alone, so that its ID is unique.
  ///
  /// A writer cannot know whether the others have already looked, so each writer that sees another one gives
  /// way. They have different ranks, and so do not collide again.
  private static func rank(of backup: Backup, _ listing: VaultListing) -> Int64? {
    let names = listing.files(of: backup.series).filter { $0.name.stem == backup.name.stem }
      .map(\.name.text)
    guard names.contains(where: { $0 != backup.name.text }) else { return nil }
    return Int64(names.count { $0 < backup.name.text })
  }

  /// Whether the files in the vault lead from a base to a backup, and the base is complete.
  private func leads(from base: Backup?, to backup: Backup, _ listing: VaultListing) -> Bool {
    guard let base else { return true }
    let links = listing.links(of: backup)
    return links.first?.kind == .full && links.dropLast().last?.name.stem == base.name.stem
  }
}
