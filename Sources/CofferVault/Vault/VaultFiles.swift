internal import BackupPlaces
internal import CofferCore
internal import CofferEditing
internal import CoreDataModel
internal import Synchronization

/// Files of backups on this machine: in place, or as copies that are removed with this object.
final class VaultFiles: Sendable {
  private let vault: Vault
  private let folder: WorkFolder
  /// The requested files, by their paths.
  private let backups = Mutex<[String: Backup]>([:])

  /// Copies nothing yet.
  init(of vault: Vault) throws(CofferError) {
    self.vault = vault
    folder = try vault.workFolder()
  }

  /// The path of a file of the vault, for the lifetime of this object; a file outside a folder is copied once.
  func path(of backup: Backup) throws -> String {
    let path = vault.place.localPath(of: backup.fileName) ?? folder.path(backup.name.text)
    if backups.withLock({ $0[path] }) == nil { _ = try vault.download(backup, to: folder) }
    backups.withLock { $0[path] = backup }
    return path
  }

  /// The paths of some files of the vault, as ``path(of:)`` gives them.
  func paths(of chain: [Backup]) throws -> [String] {
    return try chain.map { backup in try path(of: backup) }
  }

  /// How the files are read.
  var environment: WorkEnvironment { vault.environment }

  /// Reads a backup that is kept as changes with all that it begins with.
  ///
  /// - Throws: ``CofferError``: `wrong-state` if the changes do not follow each other or do not lead to the
  ///   state; `temporary-storage-failed`; what reading the files reports; errors from the closure.
  @discardableResult
  func read<Result>(
    _ chain: [Backup], output: String? = nil, _ body: (BackupChain) throws -> Result
  ) throws -> Result {
    // The copies go with this object.
    defer { withExtendedLifetime(self) {} }
    let paths = try paths(of: chain)
    do {
      return try body(
        BackupChain(
          full: paths[0], changes: Array(paths.dropFirst()), environment: vault.environment))
    } catch let error as CofferError {
      throw explained(error, output)
    }
  }

  func explained(_ error: CofferError, _ output: String? = nil) -> CofferError {
    var error = error
    if error.code == .writeFailed, error.place.path == output {
      error.code = .temporaryStorageFailed
      error.advice = [.chooseTemporaryFolder]
    }
    guard let backup = backups.withLock({ $0[error.place.path] }) else { return error }
    error.place.path = "\(vault.place.address)/\(backup.fileName)"
    // A key that opens nothing says nothing about the files.
    if error.advice.isEmpty && error.code != .noMatchingIdentity
      || [.wrongState, .modelMismatch].contains(error.code)
    {
      error.advice = ["A check of the vault that reads all data shows which backups are intact."]
    }
    return error
  }
}
