/// The options for opening a store for reading.
package struct SnapshotOptions: Sendable {
  /// The preferred way to read a store if there is a choice.
  package enum Preference: Sendable {
    /// Read the store in place if that touches nothing; otherwise make a private copy.
    case inPlace
    /// Take a private copy, unless a writer is so busy that no consistent copy can be taken.
    ///
    /// For processes that may open the same store for writing while the snapshot exists: a
    /// connection that joins a snapshot in place, of a store that no one else in the process had
    /// open, shares its read-only wal-index and cannot write.
    case copy
  }

  /// The preferred way to read a store.
  package var preference: Preference
  /// The number of seconds to wait for locks of others, and for a quiet moment to copy in.
  package var busyTimeout: Double
  /// The folder for private copies; nil for the system's temporary folder.
  package var temporaryFolder: String?
  /// Whether a store is opened although its `-wal` is shorter than its `-shm` says.
  ///
  /// The missing changes are lost: this is for stores whose `-wal` cannot be found.
  package var toleratesMissingFrames: Bool
  /// Whether to read as much as possible of a damaged store, always from a private copy.
  ///
  /// A copy of a truncated file gets zeros for missing pages; otherwise SQLite would not open it.
  package var isSalvage = false
  /// Whether a private copy leaves the `-wal` out, because it does not belong to the main file.
  package var leavesLog = false

  /// A file to read instead of the store: a private copy of one of its states, which no one changes
  /// meanwhile; nil for the store itself.
  package var content: String?
  /// The folder of the content, where the snapshot is its only user.
  package var contentFolder: TemporaryFolder?

  /// Whether the file may be any database, not only a store.
  package var takesAnyDatabase = false

  /// Whether the connection runs statements of users, which may call any function.
  package var answersQueries = false

  /// Whether a store in rollback mode that was not written for a minute may be read in place: a
  /// writer then has to wait until the snapshot ends, not only for a copy.
  package var mayKeepWritersWaiting = true

  /// Creates options.
  package init(
    preference: Preference = .inPlace, busyTimeout: Double = 5, temporaryFolder: String? = nil,
    toleratesMissingFrames: Bool = false
  ) {
    self.preference = preference
    self.busyTimeout = busyTimeout
    self.temporaryFolder = temporaryFolder
    self.toleratesMissingFrames = toleratesMissingFrames
  }
  init(_ access: StoreAccess) { self.init(preference: access == .copy ? .copy : .inPlace) }
}
