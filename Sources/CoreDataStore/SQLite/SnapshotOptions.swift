/// How a store is opened for reading.
package struct SnapshotOptions: Sendable {
  /// Which way is tried first where there is a choice.
  package enum Preference: Sendable {
    /// Read the store where it is when that touches nothing; otherwise take a private copy.
    case inPlace
    /// Take a private copy, unless a writer is so busy that no copy can be taken in peace.
    ///
    /// For processes that may open the same store for writing while the snapshot lives: a
    /// connection that joins a snapshot in place, of a store that nobody else in the process had
    /// open, shares its read-only wal-index and cannot write.
    case copy
  }

  /// Which way is tried first where there is a choice.
  package var preference: Preference
  /// How many seconds to wait for locks of others, and for a moment of peace to copy in.
  package var busyTimeout: Double
  /// The folder for private copies; nil for the system's temporary folder.
  package var temporaryFolder: String?
  /// Whether a store is opened although its `-wal` is shorter than its `-shm` says.
  ///
  /// What is lost then is lost: it is for stores whose `-wal` cannot be found any more.
  package var toleratesMissingFrames: Bool
  /// Whether a store is opened that has lost one of the tables which Core Data makes in every store.
  package var toleratesMissingTables: Bool
  /// Whether as much as possible of a damaged store is to be read, always from a private copy.
  ///
  /// A copy of a file that was cut off gets zeros where pages are missing, without which SQLite would
  /// not open it at all.
  package var isSalvage = false

  /// Whether a store in rollback mode that has not been written for a minute may be read where it is:
  /// who wants to write it has to wait until the snapshot ends, and not for the time of a copy alone.
  package var mayKeepWritersWaiting = true

  /// Creates options.
  package init(
    preference: Preference = .inPlace, busyTimeout: Double = 5, temporaryFolder: String? = nil,
    toleratesMissingFrames: Bool = false, toleratesMissingTables: Bool = false
  ) {
    self.preference = preference
    self.busyTimeout = busyTimeout
    self.temporaryFolder = temporaryFolder
    self.toleratesMissingFrames = toleratesMissingFrames
    self.toleratesMissingTables = toleratesMissingTables
  }
  /// The options of a kind of access.
  init(_ access: StoreAccess) { self.init(preference: access == .copy ? .copy : .inPlace) }
}
