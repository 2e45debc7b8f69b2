/// Why a backup is a full archive and not the changes since an earlier one.
package enum FullBackupReason: String, Sendable, CaseIterable {
  /// A full backup was requested.
  case requested
  /// It is the first backup of the store in its vault.
  case first
  /// There are 30 backups of changes since the last full archive.
  case longChain = "long-chain"
  /// The changes since the last full archive are together larger than it.
  case outgrown
  /// This machine does not remember the content of the previous backup, and cannot read it.
  case unknownBase = "unknown-base"
  /// The store cannot be compared with its previous backup: it has another model, schema or layout, rows with
  /// keys that are no integers, or too many files that differ.
  case incomparable
  /// This machine has no disk space for the record of the store that shows the changes.
  case noRoom = "no-room"
  /// The previous backup was forgotten, or files of the store changed, while this one was made.
  case changedMeanwhile = "changed-meanwhile"
}
