package import BackupPlaces
public import CofferCore
internal import CofferTables
public import CoreDataModel
internal import Foundation
internal import POSIX

/// Backups of stores over time: a folder, or a part of a bucket, with files that stock tools read.
///
/// ```swift
/// let vault = try Vault("Backups")
/// try await vault.backup(storeAt: "Trips.sqlite")
/// for backup in try await vault.backups() { print(backup.id, backup.time) }
/// try await vault.restore(to: "Restored.sqlite")
/// ```
///
/// Files of a vault never change. A backup exists once its file exists, which appears atomically and is
/// written last; an interrupted backup is never listed.
public struct Vault: Sendable {
  /// The path of the vault, as it was given.
  public let location: String
  /// How stores that are backed up, and the files of the vault, are read.
  ///
  /// The model is the current one of the stores; backups may have earlier ones.
  public var environment = WorkEnvironment()
  /// Receives the progress.
  public var progress: any ProgressReporter = SilentProgress()
  let place: any BackupPlace

  /// Names a vault, which its first backup makes.
  ///
  /// A vault in a bucket is reached as the environment and the files of the AWS tools say; rclone knows
  /// by itself how its remotes are. Nothing is sent or started yet.
  ///
  /// - Parameter location: the path of a folder, `s3://BUCKET/PREFIX`, or `rclone:REMOTE:PATH`.
  /// - Throws: ``CofferError``: `invalid-place` for any other address of a service, `access-denied` if
  ///   there are no keys for a bucket.
  public init(_ location: String) throws(CofferError) {
    self.init(location, place: try Self.place(at: location))
  }

  /// Names a vault in a place.
  package init(_ location: String, place: any BackupPlace) {
    self.location = location
    self.place = place
  }

  private static func place(at location: String) throws(CofferError) -> any BackupPlace {
    // The only place where the library looks at its environment.
    let environment = ProcessInfo.processInfo.environment
    if location.hasPrefix(S3Address.scheme) {
      let address = try S3Address(location)
      return S3Place(address, try S3Settings(environment: environment, for: address))
    }
    if location.hasPrefix(RcloneAddress.scheme) {
      return RclonePlace(try RcloneAddress(location), environment: environment)
    }
    guard !location.contains("://") else {
      throw CofferError(
        .invalidPlace,
        // The text before an @ may be a secret.
        path: location.contains("@") ? String(location.prefix { $0 != ":" }) : location,
        detail: "vaults do not support this service",
        advice: "Give a folder, s3://BUCKET/PREFIX, or rclone:REMOTE:PATH.")
    }
    return FolderPlace(path: location)
  }

  /// Whether a vault may be at a location, without reading its content.
  package static func mayBe(at location: String) throws(CofferError) -> Bool {
    let place = try place(at: location)
    guard let path = place.localPath(of: VaultDocument.fileName) else { return true }
    return (try? FileNames.kind(of: path)) == .regular
  }

  /// Lists the backups on the caller's thread.
  package func backups(of store: String? = nil) throws -> [Backup] {
    let listing = try listing()
    let all = named(listing)
    guard let store else { return all }
    let found = BackupSelection.backups(of: store, in: all)
    guard found.isEmpty else { return found }
    return [try BackupSelection(store: store).find(in: all, vault: location)]
  }

  /// The files of forgotten backups that stay because others begin with them.
  ///
  /// - Returns: the backups of the files, in no order.
  /// - Throws: as ``backups(of:)``.
  package func forgottenBases(of backups: [Backup]) throws -> [Backup] {
    let listing = try listing()
    let needed = Set(backups.flatMap { listing.links(of: $0) }.map(\.fileName))
    return listing.forgotten.values.joined().compactMap(\.backup)
      .filter { needed.contains($0.fileName) }
  }

  /// Finds a backup on the caller's thread.
  package func find(_ selection: BackupSelection) throws -> Backup {
    try selection.find(in: named(try listing()), vault: location)
  }

  /// The contents of the vault.
  ///
  /// - Throws: ``CofferError``: `not-a-vault`, also for a file of its name that is another program's, and
  ///   `newer-format`; errors of the place.
  func listing() throws -> VaultListing {
    if place is FolderPlace, (try? FileNames.kind(of: location)) == .regular {
      throw CofferError.notAVault(location, "it is a file")
    }
    let listing = VaultListing(try place.list(""))
    guard listing.isVault else {
      throw CofferError.notAVault(
        location,
        listing.isEmpty ? "it is empty, or does not exist" : "there is no \(VaultDocument.fileName)"
      )
    }
    _ = try document()
    return listing
  }

  /// The ID of the backup of a series that was verified last; nil if none was.
  ///
  /// - Throws: errors of the place, because an unreadable file might protect a backup.
  func lastVerified(of series: BackupSeries) throws(CofferError) -> String? {
    do throws(CofferError) {
      let bytes = try place.read(
        "\(series.id)/\(VerifiedDocument.fileName)", range: Self.documentRange)
      return VerifiedDocument(bytes)?.id
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Makes a folder for files on their way to and from the vault.
  func workFolder() throws(CofferError) -> WorkFolder {
    try WorkFolder(for: .backup, in: environment.temporaryFolder)
  }

  /// As much of a document as is read: no document of a vault is longer.
  static let documentRange: Range<UInt64> = 0..<(1 << 20)

  func document() throws -> VaultDocument {
    try VaultDocument(
      place.read(VaultDocument.fileName, range: Self.documentRange), path: location)
  }
}

extension Vault {
  /// Backs up a store: the changes since an earlier backup, or all of it where changes cannot serve.
  ///
  /// The first backup makes the vault, in a folder that is empty or not there yet.
  ///
  /// - Parameters:
  ///   - store: the path of the store, which the app may have open.
  ///   - options: the options.
  /// - Returns: the summary of the backup.
  /// - Throws: ``CofferError``: `refused` for a store without a UUID, and for a place with other files;
  ///   `incompatible-choices` for other recipients than the vault's; what opening and reading the store
  ///   reports; errors of the place. `CancellationError`. An incomplete backup is never listed.
  @discardableResult
  public func backup(
    storeAt store: String, options: BackupOptions = BackupOptions()
  ) async throws -> BackupSummary {
    try await BackgroundWork.run(progress) { try backup(storeAt: store, options: options) }
  }

  /// Lists the backups, series by series; in each series, the oldest first.
  ///
  /// - Parameter store: the only store or series; nil for all. See ``BackupSelection/store``.
  /// - Returns: the backups.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup` for a store without any, or errors
  ///   of the place.
  public func backups(of store: String? = nil) async throws -> [Backup] {
    try await BackgroundWork.run(progress) { try backups(of: store) }
  }

  /// Finds a backup.
  ///
  /// - Throws: ``CofferError``: `no-such-backup`, `not-a-vault`, or errors of the place.
  public func find(_ selection: BackupSelection) async throws -> Backup {
    try await BackgroundWork.run(progress) { try find(selection) }
  }

  /// Makes the archive of a backup's state readable.
  ///
  /// - Throws: ``CofferError``: `no-such-backup`, `not-a-vault`; `missing-entry` if a file that it needs
  ///   is not in the vault; `wrong-state` if the changes in the vault do not lead to it;
  ///   `temporary-storage-failed`; what reading its files reports; `CancellationError`.
  public func open(_ selection: BackupSelection = BackupSelection()) async throws -> OpenedBackup {
    try await BackgroundWork.run(progress) { try open(selection) }
  }

  /// Restores a store from a backup.
  ///
  /// - Parameters:
  ///   - selection: the backup; by default, the latest of the only store.
  ///   - store: the path of the store to create.
  ///   - options: the options for restoring; archives are read in the environment of the vault.
  /// - Returns: the summary of the import.
  /// - Throws: as `open(_:)` and as `StoreImporter.import(_:to:)`. If the backup is damaged, the advice names
  ///   the latest one of the store that is intact.
  @discardableResult
  public func restore(
    _ selection: BackupSelection = BackupSelection(), to store: String,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportSummary {
    try await BackgroundWork.run(progress) { try restore(selection, to: store, options: options) }
  }

  /// Forgets the backups that no rule keeps.
  ///
  /// A forgotten backup is no longer listed, but its files stay for a while, so that running restores can
  /// to their end; the first run after an hour removes them, unless a backup that is listed begins with
  /// them. After 30 days such a backup is rewritten as a full archive, which takes the identities of an
  /// encrypted vault. The last verified backup of a store always stays, and so does its latest one.
  ///
  /// - Parameters:
  ///   - policy: the rules.
  ///   - store: the only store; nil for all.
  ///   - isDryRun: whether to only decide.
  /// - Returns: the decision about each backup.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup`, also for a pin that names none, errors of the place; `CancellationError`.
  @discardableResult
  public func forget(
    _ policy: RetentionPolicy, of store: String? = nil, isDryRun: Bool = false
  ) async throws -> ForgetSummary {
    try await BackgroundWork.run(progress) { try forget(policy, of: store, isDryRun: isDryRun) }
  }

  /// Checks that the backups are whole, recent and not suddenly small.
  ///
  /// If all data are read, the latest backup that is intact with everything that it needs is noted as
  /// verified, so that no policy forgets it.
  ///
  /// - Parameters:
  ///   - options: the extent of the check.
  ///   - store: the only store; nil for all.
  /// - Returns: the problems.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup`, an error about a missing key, or errors
  ///   of the place; `CancellationError`.
  public func check(
    _ options: VaultCheckOptions = VaultCheckOptions(), of store: String? = nil
  ) async throws -> VaultCheckSummary {
    try await BackgroundWork.run(progress) { try check(options, of: store) }
  }

  /// Restores backups to a private temporary folder, and compares the restored stores with the backups.
  ///
  /// The content digest of each restored store must equal the backup's, except for counters that every
  /// restore raises, and the store may have no error that the backup does not have. Errors of the backup's
  /// own are notes. Only one restored store exists at a time. The vault does not change.
  ///
  /// - Parameters:
  ///   - sampleSize: the number of backups of each series to restore: the latest one, and others that are
  ///     evenly spread over the earlier ones; at least 1.
  ///   - store: the only store; nil for all.
  /// - Returns: the restored backups, and their problems.
  /// - Throws: ``CofferError``: `not-a-vault`, `no-such-backup`, an error about a missing key or the
  ///   temporary folder, or errors of the place; `CancellationError`.
  public func drill(
    sampleSize: Int = 1, of store: String? = nil
  ) async throws -> VaultCheckSummary {
    try await BackgroundWork.run(progress) { try drill(sampleSize: sampleSize, of: store) }
  }

  /// Follows an object through all backups of its store.
  ///
  /// Backups with the same content as the previous one are not read, and backups of changes only by their
  /// changes if these concern other objects. An object is the same as long as it has
  /// the same key and is of the entity or a subentity; if a migration renames the entity, it is removed.
  ///
  /// - Parameters:
  ///   - entityName: the entity of the object, or a superentity.
  ///   - primaryKey: its key.
  ///   - store: the store; nil for the only one. See ``BackupSelection/store``.
  ///   - onEvent: receives each event, the oldest first; an error that it throws ends the work.
  /// - Returns: the amount that was read.
  /// - Throws: ``CofferError``: `no-such-entity` and `no-such-object` if no backup has it, `no-such-backup`,
  ///   `not-a-vault`; what reading a backup reports; `CancellationError`.
  @discardableResult
  public func history(
    of entityName: Name, primaryKey: Int64, in store: String? = nil,
    onEvent: @escaping @Sendable (ObjectEvent) throws -> Void
  ) async throws -> ObjectHistorySummary {
    try await BackgroundWork.run(progress) {
      try history(of: entityName, primaryKey: primaryKey, in: store, onEvent: onEvent)
    }
  }
}
