import CofferKit
import Foundation

/// The backups of an app's store over time, in a folder that is a vault.
public struct BackupVault: Sendable {
  private let vault: Vault

  /// Names the vault; the first backup creates it.
  public init(folder: String) throws { vault = try Vault(folder) }

  /// Backs up a store before a migration, and keeps the latest five backups of it.
  ///
  /// - Returns: the ID of the backup, for ``takeBack(_:to:)``.
  public func keep(_ store: String) async throws -> String {
    let made = try await vault.backup(storeAt: store).backup
    var policy = RetentionPolicy()
    policy.last = 5
    try await vault.forget(policy, of: made.series.id)
    return made.id
  }

  /// Restores the store as it was before a migration that failed.
  public func takeBack(_ id: String, to store: String) async throws {
    let replacing = ImportOptions(overwriting: true)
    try await vault.restore(BackupSelection(id: id), to: store, options: replacing)
  }

  /// The times of all backups, the latest first.
  public func times() async throws -> [Date] {
    try await vault.backups().map(\.time).reversed()
  }
}
