internal import BackupPlaces
package import CofferCore
internal import CofferTables
internal import CoreDataModel

/// The decision of a policy about a backup.
public struct ForgetDecision: Sendable, Equatable {
  /// The backup.
  public var backup: Backup
  /// Why it stays: the names of rules, `pinned`, `verified`, `latest`; empty if it does not.
  public var reasons: [String]
  /// Whether it stays.
  public var stays: Bool { !reasons.isEmpty }
}

/// The result of a run that forgets backups.
public struct ForgetSummary: Sendable, Equatable {
  /// The outcome for each backup, series by series; in each series, the oldest first.
  public var decisions: [ForgetDecision] = []
  /// The number of removed files of backups that were forgotten earlier.
  public var removedFileCount = 0
  /// The size of these files in bytes.
  public var removedByteCount = 0
  /// The backups of changes that became full archives, so that their bases can be removed.
  public var rewritten: [Backup] = []
  /// The backups for which that was impossible, so that their bases stay.
  package var notRewritten: [RewritingFailure] = []
}

extension Vault {
  /// Forgets the backups that no rule keeps on the caller's thread.
  @discardableResult
  package func forget(
    _ policy: RetentionPolicy, of store: String? = nil, isDryRun: Bool = false
  ) throws -> ForgetSummary {
    try forget(policy, of: store, isDryRun: isDryRun, now: nil)
  }

  /// Forgets backups at a time; nil for the present.
  @discardableResult
  package func forget(
    _ policy: RetentionPolicy, of store: String?, isDryRun: Bool, now: Instant?
  ) throws -> ForgetSummary {
    var summary = ForgetSummary()
    try requirePins(policy)
    let all = try backups(of: store)
    let wanted = Set(all.map(\.series)).sorted()
    guard store == nil || wanted.count == 1 else {
      throw BackupSelection.ambiguous(location, all)
    }
    for series in wanted {
      var run = try ForgetRun(self, series, all)
      summary.decisions += try run.decide(policy)
      guard !isDryRun else { continue }
      try run.apply()
      guard run.hasForgotten, let now = try now ?? present(series) else { continue }
      var rewriting = BackupRewriting(vault: self, series: series)
      try rewriting.run(now)
      summary.rewritten += rewriting.rewritten
      summary.notRewritten += rewriting.failures
      let removed = try run.removeOld(now)
      summary.removedFileCount += removed.fileCount
      summary.removedByteCount &+= removed.byteCount
    }
    return summary
  }

  /// The present by this machine's clock or by the place's clock, which gave the marks their times, whichever
  /// is earlier: a clock that is ahead could remove files that a restore in progress needs.
  ///
  /// - Returns: nil if another run asks at the same moment.
  private func present(_ series: BackupSeries) throws -> Instant? {
    let folder = try workFolder()
    defer { withExtendedLifetime(folder) {} }
    let name = "\(series.id)/clock"
    try place.put(name, from: folder.write([], to: "clock"))
    let file = try place.find(name)
    try place.delete(name)
    return file.map { min(.now, Instant(written: $0)) }
  }

  /// Checks that each pin names a backup: a typing error must not cost the intended backup.
  private func requirePins(_ policy: RetentionPolicy) throws {
    guard !policy.pinned.isEmpty else { return }
    let all = try backups()
    for pin in policy.pinned {
      _ = try BackupSelection(.id(pin)).find(in: all, vault: location)
    }
  }
}

/// Forgets backups of one series.
struct ForgetRun {
  private let vault: Vault
  private let series: BackupSeries
  private let listing: VaultListing
  private let backups: [Backup]
  private var decisions: [ForgetDecision] = []
  private var place: any BackupPlace { vault.place }

  /// Whether something was forgotten before this run.
  var hasForgotten: Bool { listing.forgotten[series] != nil }

  /// The time for which files stay after their backup was forgotten, in seconds.
  private static let grace: Int64 = 3_600

  init(_ vault: Vault, _ series: BackupSeries, _ described: [Backup]) throws {
    self.vault = vault
    self.series = series
    listing = try vault.listing()
    let known = Dictionary(described.map { ($0.fileName, $0) }) { $1 }
    backups = (listing.backups[series] ?? []).map { known[$0.fileName] ?? $0 }
  }

  // MARK: Deciding

  mutating func decide(_ policy: RetentionPolicy) throws -> [ForgetDecision] {
    let verified = try vault.lastVerified(of: series)
    let reasons = policy.reasons(for: backups)
    decisions = zip(backups, reasons).map { backup, reasons in
      var reasons = reasons
      if backup.id == verified { reasons.append("verified") }
      if backup.id == backups.last?.id, reasons.isEmpty { reasons.append("latest") }
      return ForgetDecision(backup: backup, reasons: reasons)
    }
    return decisions
  }

  // MARK: Doing

  /// Marks the forgotten files, and changes that a full archive replaces.
  func apply() throws {
    let forgotten = Set(
      zip(decisions, backups).filter { !$0.0.stays }.map(\.1.name.stem))
    var files = listing.superseded[series] ?? []
    let marked = Set((listing.forgotten[series] ?? []).compactMap(\.backup?.fileName))
    files += listing.files(of: series).filter {
      forgotten.contains($0.name.stem) && !marked.contains($0.fileName)
    }
    // The newest first: a base is forgotten after what begins with it. Of one state, the full archive is
    // forgotten last, because it says whether the backup is.
    try vault.markForgotten(files.filter { $0.kind == .changes }.reversed())
    try vault.markForgotten(files.filter { $0.kind == .full }.reversed())
  }

  // MARK: Removing

  /// Removes the files of backups that were forgotten more than an hour ago, and before this run, unless a
  /// remaining backup starts from them.
  func removeOld(_ now: Instant) throws -> (fileCount: Int, byteCount: Int) {
    let old = (listing.forgotten[series] ?? []).filter {
      now.secondsSince1970 - $0.marked.secondsSince1970 > Self.grace
    }
    let needed = try neededFiles(besides: Set(old.compactMap(\.backup?.fileName)))
    var removed = (fileCount: 0, byteCount: 0)
    // Changes go before the full archive that they begin with, or that replaces them.
    for kind in [Backup.Kind.changes, .full] {
      for file in old.reversed() {
        guard let backup = file.backup, backup.kind == kind,
          !needed.contains(backup.fileName)
        else { continue }
        try place.delete(backup.fileName)
        try place.delete(file.marker)
        removed.fileCount += 1
        removed.byteCount &+= backup.byteCount
      }
    }
    for file in listing.forgotten[series] ?? [] where file.backup == nil {
      try place.delete(file.marker)
    }
    try removeOldSources()
    return removed
  }

  /// Removes the documents of places without a remaining backup: a pod may leave one every night.
  private func removeOldSources() throws {
    guard let oldest = listing.files(of: series).first?.moment else { return }
    let documents = try vault.sources(of: series, listing)
    for (number, next) in zip(listing.sources[series] ?? [], documents.dropFirst()) {
      guard let next, next.since <= oldest else { return }
      try place.delete("\(series.id)/\(VaultSourceDocument.fileName(number))")
    }
  }

  /// The files that stay, with all that they begin with.
  private func neededFiles(besides old: Set<String>) throws -> Set<String> {
    let listing = try vault.listing()
    let staying = listing.files(of: series).filter { !old.contains($0.fileName) }
    let stems = Set(staying.map(\.name.stem))
    // While the changes that it replaces exist, a full archive records whether they are forgotten.
    var needed = Set(
      listing.files(of: series).filter { stems.contains($0.name.stem) && $0.kind == .full }
        .map(\.fileName))
    for file in staying { needed.formUnion(listing.links(of: file).map(\.fileName)) }
    return needed
  }
}

extension Vault {
  /// Marks files as forgotten, one after another.
  func markForgotten(_ files: some Collection<Backup>) throws {
    guard !files.isEmpty else { return }
    let folder = try workFolder()
    defer { withExtendedLifetime(folder) {} }
    let empty = try folder.write([], to: "forgotten")
    for file in files {
      _ = try place.putIfAbsent(file.fileName + VaultListing.forgottenEnding, from: empty)
    }
  }
}
