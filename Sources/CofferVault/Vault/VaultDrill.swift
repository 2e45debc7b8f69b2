internal import CofferComparison
internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

extension Vault {
  /// Restores backups and checks the restored stores on the caller's thread.
  package func drill(sampleSize: Int = 1, of store: String? = nil) throws -> VaultCheckSummary {
    var run = VaultDrillRun(vault: self, listing: try listing())
    let all = try backups(of: store)
    for series in Set(all.map(\.series)).sorted() {
      let backups = all.filter { $0.series == series }
      for backup in Self.sample(of: backups, sampleSize) { try run.drill(backup) }
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
  let listing: VaultListing
  private(set) var summary = VaultCheckSummary()

  init(vault: Vault, listing: VaultListing) { (self.vault, self.listing) = (vault, listing) }

  /// Restores one backup and checks it.
  mutating func drill(_ backup: Backup) throws {
    try Task<Never, Never>.checkCancellation()
    var found: [VaultProblem] = []
    do {
      try check(backup) { found.append(VaultProblem(kind: $0, backup: backup, detail: $1)) }
    } catch let error as CofferError {
      try Task<Never, Never>.checkCancellation()
      guard !error.preventsCheck else { throw error }
      // Somebody may have forgotten it meanwhile.
      guard
        try vault.listing().backups[backup.series]?.contains(where: { $0.id == backup.id })
          == true
      else { return }
      found = [VaultProblem(kind: .notRestored, backup: backup, detail: error.description)]
    }
    summary.backups.append(backup)
    summary.readByteCount += backup.byteCount
    summary.notes += found.filter(\.kind.isNote)
    summary.problems += found.filter { !$0.kind.isNote }
    if found.contains(where: { !$0.kind.isNote && $0.kind != .invalidData }) {
      summary.unusable.insert(backup.id)
    }
  }

  /// The environment of the vault, for stores that no one else uses.
  private var environment: WorkEnvironment {
    var environment = vault.environment.acceptingAnyModel
    environment.storeAccess = .inPlace
    return environment
  }

  /// Restores a backup, and reports differences between it and the restored store.
  private func check(
    _ backup: Backup, _ report: (VaultProblem.Kind, String) -> Void
  ) throws {
    let folder = try vault.workFolder()
    let opened = try vault.open(backup, listing)
    defer { withExtendedLifetime((folder, opened)) {} }
    let path = try folder.makeFolder("store") + "/Restored.sqlite"
    var importer = StoreImporter(progress: vault.progress)
    importer.options.environment = environment
    let restored = try importer.import(opened.path, to: path)
    let digest = try StoreExporter().contentDigest(of: PersistentStore.opened(path, .inPlace))
    if digest != restored.contentDigest, try onlyRaisesCounters(opened.path, path) {
      let names = restored.findings.filter { $0.code == .primaryKeyCounterRaised }
        .compactMap(\.entityName)
      report(
        .raisedCounters,
        "a restore raises primary key counters that are too low: \(names.joined(separator: ", "))")
    } else if digest != restored.contentDigest
      || !digest.hasPrefix(backup.contentDigestPrefix)
    {
      return report(
        .otherState, "the restored store has the content digest \(digest), which is another state")
    }
    try compareErrors(opened.path, path, report)
  }

  /// Whether a restored store differs from its archive only by primary key counters.
  private func onlyRaisesCounters(_ archive: String, _ store: String) throws -> Bool {
    var comparison = StoreComparison(
      options: ComparisonOptions(environment: environment),
      progress: vault.progress)
    comparison.options.matchesByObjectID = true
    var (isOnly, isAny) = (true, false)
    try comparison.compare(archive, store) { difference in
      isAny = true
      if case .store(let fact) = difference, fact.subject == .primaryKeyCounter { return }
      isOnly = false
    }
    return isAny && isOnly
  }

  /// Reports the errors of a restored store; errors that its archive has too are a note.
  private func compareErrors(
    _ archive: String, _ store: String, _ report: (VaultProblem.Kind, String) -> Void
  ) throws {
    let counts = FindingCounts()
    var old = FindingCollector()
    try verify(store) {
      counts.add($0)
      old.add($0)
    }
    guard !counts.isEmpty else { return }
    try verify(archive) { counts.remove($0) }
    if counts.isEmpty { return report(.oldErrors, Self.text(old)) }
    try verify(store) { counts.collect($0) }
    report(.invalidData, Self.text(counts.collected))
  }

  /// The first of some errors, and the number of the others.
  private static func text(_ errors: FindingCollector) -> String {
    let count = errors.count(of: .error)
    let others = count > 1 ? "; \(count - 1) more" : ""
    return "\(errors.findings.first?.description ?? "")\(others)"
  }

  /// Passes on all errors of a store or an archive.
  private func verify(_ path: String, _ found: @escaping (Finding) -> Void) throws {
    var options = VerificationOptions()
    options.environment = environment
    options.environment.limits.findings = .max
    try Verifier(options: options, progress: vault.progress).verify(path) {
      if $0.severity == .error { found($0) }
    }
  }
}
