internal import BackupPlaces
internal import CofferCore
internal import CofferTables
public import CoreDataModel

/// A problem of a vault, or a note.
public struct VaultProblem: Sendable, Equatable {
  /// The kind of problem.
  package enum Kind: String, Sendable, CaseIterable {
    /// The base of a backup is not in the vault, or applying the files does not produce its state.
    case brokenChain = "broken-chain"
    /// The content of a file has changed since it was written.
    case damagedFile = "damaged-file"
    /// The state in a file differs from the state in its name, or it belongs to another store.
    case otherState = "other-state"
    /// The vault has a link or a special file, which no command reads.
    case foreignFile = "foreign-file"
    /// The latest backup is too old, or there is none.
    case tooOld = "too-old"
    /// A full archive is much smaller than the previous one.
    case shrunk
    /// A drill could not restore the backup.
    case notRestored = "not-restored"
    /// The store that a drill restored has errors in its data that the backup does not have.
    case invalidData = "invalid-data"
    /// A note: the store had errors in its data when it was backed up, and so has the restored one.
    case oldErrors = "old-errors"
    /// A note: the store had primary key counters that were too low; the restored one has right ones.
    case raisedCounters = "raised-counters"

    /// Whether nothing is wrong with the backup.
    package var isNote: Bool { self == .oldErrors || self == .raisedCounters }
  }

  /// The kind of problem.
  package var kind: Kind
  /// The backup; nil if there is none in the vault.
  ///
  /// It can be a forgotten backup that others need.
  public var backup: Backup?
  /// Why.
  public var detail: String
}

/// Options for a check of a vault.
public struct VaultCheckOptions: Sendable, Equatable {
  /// Whether to read every file completely, against its digests.
  public var readsData = false
  /// The maximum age of the latest backup of each series in seconds; nil for any.
  public var maxAge: Int64?
  /// The minimum size of a full archive relative to the previous one; nil for any.
  public var smallestSizeRatio: Double?

  /// Creates options for a check of names only.
  public init() {}
}

/// The result of a check of a vault.
public struct VaultCheckSummary: Sendable, Equatable {
  /// The checked backups.
  public var backups: [Backup] = []
  /// The problems, store by store, in the order of the backups.
  public var problems: [VaultProblem] = []
  /// The notes of a drill about backups that are restored correctly, in the order of the backups.
  public var notes: [VaultProblem] = []
  /// The number of bytes that were read.
  public var readByteCount = 0

  /// The IDs of the backups that cannot be restored: damaged ones, and all that need them.
  public var unusable: Set<String> = []
  /// Series that seem to continue as another one.
  package var continuations: [SeriesContinuation] = []
  /// Why the latest intact backup could not be noted as verified, so that a policy may forget it; nil if it
  /// was noted or nothing was read.
  public var noteFailure: CofferError?

  /// Puts the problems of a store in the order of its backups.
  mutating func sortProblems(from first: Int) {
    let sorted = problems[first...].enumerated().sorted { one, other in
      let names = (one.element.backup?.name.stem ?? "", other.element.backup?.name.stem ?? "")
      return names.0 == names.1 ? one.offset < other.offset : names.0 < names.1
    }
    problems.replaceSubrange(first..., with: sorted.map(\.element))
  }
}

extension Vault {
  /// Checks on the caller's thread that the backups are complete, recent and not suddenly small.
  package func check(
    _ options: VaultCheckOptions = VaultCheckOptions(), of store: String? = nil
  ) throws -> VaultCheckSummary {
    try check(options, of: store, now: .now)
  }

  /// Checks the backups as of a time.
  package func check(
    _ options: VaultCheckOptions, of store: String?, now: Instant
  ) throws -> VaultCheckSummary {
    var run = VaultCheckRun(self, options, try listing(), now)
    let all = try backups(of: store)
    for series in Set(all.map(\.series)).sorted() {
      try run.check(all.filter { $0.series == series })
    }
    var summary = run.summary
    for name in try place.strangers() {
      summary.problems.append(
        VaultProblem(
          kind: .foreignFile, backup: nil,
          detail: "\(name) is a link or a special file, so that no backup is read from it"))
    }
    if all.isEmpty, options.maxAge != nil {
      summary.problems.append(
        VaultProblem(kind: .tooOld, backup: nil, detail: "there is no backup in the vault"))
    }
    return summary
  }
}

private struct VaultCheckRun {
  private let vault: Vault
  private let options: VaultCheckOptions
  private let listing: VaultListing
  private let now: Instant
  /// All backups of the vault, and these by the names of their files.
  private let (all, known): ([Backup], [String: Backup])
  private(set) var summary = VaultCheckSummary()

  init(_ vault: Vault, _ options: VaultCheckOptions, _ listing: VaultListing, _ now: Instant) {
    (self.vault, self.options, self.listing, self.now) = (vault, options, listing, now)
    all = vault.named(listing)
    known = Dictionary(all.map { ($0.fileName, $0) }) { $1 }
  }

  /// Checks the backups of one store, the oldest first.
  mutating func check(_ backups: [Backup]) throws {
    summary.backups += backups
    let first = summary.problems.count
    var (chains, lastFull) = ([[Backup]](), Backup?.none)
    for backup in backups {
      chains.append(chain(of: backup))
      checkSize(of: backup, after: &lastFull)
    }
    if options.readsData {
      var reading = VaultReading(vault)
      try reading.read(chains)
      summary.problems += reading.problems
      summary.unusable.formUnion(reading.unusable)
      summary.readByteCount += reading.byteCount
    }
    if let latest = backups.last { checkAge(of: latest, continuationText(backups)) }
    summary.sortProblems(from: first)
    if options.readsData, let intact = backups.last(where: { !summary.unusable.contains($0.id) }) {
      try note(intact)
    }
  }

  /// A backup with all files that it needs, as far as they exist.
  private mutating func chain(of backup: Backup) -> [Backup] {
    do throws(CofferError) {
      return try listing.chain(of: backup, vault: vault.location).map { file in
        if let known = known[file.fileName] { return known }
        var file = file
        file.storeName = backup.storeName
        return file
      }
    } catch {
      add(.brokenChain, backup, error.detail)
      summary.unusable.insert(backup.id)
      return listing.links(of: backup)
    }
  }

  /// Notes that a backup is intact, if the vault is writable.
  private mutating func note(_ backup: Backup) throws {
    do {
      try vault.noteVerified(backup, at: now)
    } catch let error as CofferError where [.accessDenied, .writeFailed].contains(error.code) {
      summary.noteFailure = error
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

  private mutating func checkAge(of latest: Backup, _ continuation: String) {
    let age = now.secondsSince1970 - latest.moment.secondsSince1970
    guard let greatest = options.maxAge else { return }
    // A clock that was wrong once must not hide that nothing has been written since.
    if age < -86_400 {
      add(.tooOld, latest, "the latest backup is from \(latest.moment), which is in the future")
    }
    if age > greatest {
      add(.tooOld, latest, "the latest backup is from \(latest.moment)\(continuation)")
    }
  }

  /// Notes that a series may continue under another name.
  ///
  /// - Returns: the end of a sentence that says so; empty if it does not.
  private mutating func continuationText(_ backups: [Backup]) -> String {
    let found = SeriesContinuation(of: backups, in: all) { [vault, listing] series in
      (try? vault.sources(of: series, listing))?.first.flatMap { $0 }?.since
    }
    guard let found else { return "" }
    summary.continuations.append(found)
    return ", and the series may continue as \(found.successor.seriesText)"
  }

  private mutating func add(_ kind: VaultProblem.Kind, _ backup: Backup, _ detail: String) {
    summary.problems.append(VaultProblem(kind: kind, backup: backup, detail: detail))
  }
}

extension CofferError {
  /// Whether the error means only that a backup cannot be checked here, not that it is damaged.
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
  func noteVerified(_ backup: Backup, at time: Instant) throws {
    let folder = try workFolder()
    defer { withExtendedLifetime(folder) {} }
    let document = VerifiedDocument(id: backup.id, time: time.description)
    try place.put(
      "\(backup.series.id)/\(VerifiedDocument.fileName)",
      from: folder.write(document.bytes, to: VerifiedDocument.fileName))
  }
}
