internal import BackupPlaces
package import CofferCore
internal import CoreDataModel
internal import POSIX

/// The state of a backup as an archive in a file.
///
/// A full archive in a folder is read in place. Any other state is assembled in a private
/// temporary file as large as a full archive, which is removed with this object. It is in the folder of
/// ``WorkEnvironment/temporaryFolder``, and encrypted only if it is a copy of a full archive that is.
public final class OpenedBackup: Sendable {
  /// The backup.
  public let backup: Backup
  /// The path of the archive.
  public let path: String
  /// Whether the archive is a temporary file.
  public var isTemporary: Bool { folder != nil }
  private let folder: (any Sendable)?

  /// A folder goes with a temporary file, and none with a file of the vault.
  init(_ backup: Backup, path: String, in folder: (any Sendable)?) {
    self.backup = backup
    self.path = path
    self.folder = folder
  }
}

extension Vault {
  /// Makes the archive of a backup's state readable on the caller's thread.
  package func open(_ selection: BackupSelection = BackupSelection()) throws -> OpenedBackup {
    let listing = try listing()
    return try open(find(selection), listing)
  }

  func open(_ backup: Backup, _ listing: VaultListing) throws -> OpenedBackup {
    let chain = try listing.chain(of: backup, vault: location)
    if chain.count == 1, let path = place.localPath(of: backup.fileName) {
      return OpenedBackup(backup, path: path, in: nil)
    }
    guard chain.count > 1 else {
      let folder = try workFolder()
      return OpenedBackup(backup, path: try download(backup, to: folder), in: folder)
    }
    let state = try BackupState(chain, to: backup, of: self)
    try state.write()
    return OpenedBackup(backup, path: state.path, in: state)
  }

  /// The state of a backup that is kept as changes, to read some of its rows; nil for a full archive.
  ///
  /// - Throws: as ``open(_:)``, which reads all.
  package func composedState(_ selection: BackupSelection) throws -> BackupState? {
    let backup = try find(selection)
    let chain = try listing().chain(of: backup, vault: location)
    return chain.count > 1 ? try BackupState(chain, to: backup, of: self) : nil
  }

  /// The path of a file of the vault; a copy if it is not in a folder.
  func download(_ backup: Backup, to folder: WorkFolder) throws -> String {
    if let path = place.localPath(of: backup.fileName) { return path }
    let path = folder.path(backup.name.text)
    let descriptor = try folder.create(backup.name.text)
    defer { FileIO.close(descriptor) }
    let count = try place.download(backup.fileName, to: descriptor, at: path) {
      _ throws(CofferError) in
    }
    guard count == UInt64(clamping: backup.byteCount) else {
      throw CofferError(
        .readFailed, path: place.address, item: backup.fileName,
        detail: "only \(count) of its \(backup.byteCount) bytes were received", advice: "Try again."
      )
    }
    try Task<Never, Never>.checkCancellation()
    return path
  }

  /// Restores a store from a backup on the caller's thread.
  @discardableResult
  package func restore(
    _ selection: BackupSelection = BackupSelection(), to store: String,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportSummary {
    let listing = try listing()
    let backup = try selection.find(in: named(listing), vault: location)
    do {
      var importer = StoreImporter(options: options, progress: progress)
      importer.options.environment = environment
      importer.options.environment.model = options.environment.model
      let chain = try listing.chain(of: backup, vault: location)
      // A salvage would take a state that cannot be put together for an archive that is cut off.
      if chain.count > 1, !options.salvages {
        return try ChainImport(chain: chain, files: VaultFiles(of: self), importer: importer)
          .run(to: store, named: "\(place.address)/\(backup.fileName)")
      }
      let opened = try open(backup, listing)
      // Its file goes with it.
      defer { withExtendedLifetime(opened) {} }
      return try importer.import(opened.path, to: store)
    } catch let error as CofferError where error.isOfDamagedBackup {
      throw try advising(error, about: backup, listing)
    }
  }

  /// An error about a damaged backup, with the latest one of its store that is intact.
  private func advising(
    _ error: CofferError, about damaged: Backup, _ listing: VaultListing
  ) throws -> CofferError {
    var error = error
    let chains = (listing.backups[damaged.series] ?? []).filter { $0.id != damaged.id }
      .compactMap { try? listing.chain(of: $0, vault: location) }
    // Those that begin with the same file are read together, the latest first.
    let groups = Dictionary(grouping: chains) { $0.first?.name.stem ?? "" }
    for (_, group) in groups.sorted(by: { $0.key > $1.key }) {
      var reading = VaultReading(self)
      do {
        try reading.read(group)
      } catch is CofferError {
        try Task<Never, Never>.checkCancellation()
        return error
      }
      guard
        let intact = group.last(where: { !reading.unusable.contains($0.last?.id ?? "") })?.last
      else { continue }
      error.advice = [.restoreBackup(id: intact.id, time: intact.moment.description)]
      return error
    }
    error.advice.append("No other backup of the store is intact.")
    return error
  }
}

extension CofferError {
  /// Whether files of a backup are damaged or missing.
  var isOfDamagedBackup: Bool {
    switch code {
    case .truncatedArchive, .damagedArchive, .missingEntry, .invalidEntryName, .damagedModel,
      .damagedEncryption, .truncatedEncryption, .notAnArchive, .wrongState:
      true
    default: false
    }
  }
}
