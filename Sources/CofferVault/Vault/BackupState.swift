package import CofferCore
internal import CofferEditing
internal import CoreDataModel
internal import Synchronization

/// The state of a backup that is kept as changes; only the requested rows are composed.
///
/// The archive of the state would be in a private temporary folder, which goes with this object.
package final class BackupState: ComposedState {
  /// The backup.
  package let backup: Backup
  package let path: String
  private let chain: [Backup]
  private let files: VaultFiles
  private let folder: WorkFolder
  private let isWritten = Mutex(false)

  /// Copies nothing yet.
  init(_ chain: [Backup], to backup: Backup, of vault: Vault) throws(CofferError) {
    (self.chain, self.backup) = (chain, backup)
    files = try VaultFiles(of: vault)
    folder = try vault.workFolder()
    path = folder.path("state\(chain[0].name.compression.fileNameEnding)")
  }

  package func source(
    _ environment: WorkEnvironment, loadsOutOfLineValues: Bool
  ) throws -> any RowSource {
    try files.read(chain) {
      try $0.source(path: path, environment, loadsOutOfLineValues: loadsOutOfLineValues)
    }
  }

  package func write() throws {
    guard !isWritten.withLock({ $0 }) else { return }
    // It is read once or twice, and gone.
    let options = ChainOptions(
      compression: chain[0].name.compression, level: 1, reusesMembers: true)
    try files.read(chain, output: path) { try $0.write(to: .file(path), options: options) }
    isWritten.withLock { $0 = true }
  }

  /// An error of reading the source in the terms of the vault.
  package func explained(_ error: CofferError) -> CofferError { files.explained(error) }
}
