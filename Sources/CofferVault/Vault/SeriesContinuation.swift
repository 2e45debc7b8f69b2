internal import CofferCore
internal import CofferTables

/// A series that may continue as another: a store of the same UUID, at the same path or with the same file
/// name, whose backups begin some time after the latest of the series.
///
/// Such are the series of a store whose host changed its name, that moved by a copy, or that was given a name.
package struct SeriesContinuation: Sendable, Equatable {
  /// The latest backup of the series.
  package var latest: Backup
  /// The first backup of the series as which it may continue.
  package var successor: Backup

  /// The minimum number of seconds between the two: one run backs up copies of a store one after another.
  private static let shortestPause: Int64 = 3_600

  /// Looks for the series as which another continues.
  ///
  /// Backups are the oldest first. The beginning of a series includes its forgotten backups.
  init?(
    of backups: [Backup], in all: [Backup], beginning: (BackupSeries) -> Instant?
  ) {
    guard let latest = backups.last else { return nil }
    func isLater(_ time: Instant) -> Bool {
      time >= latest.moment.advanced(by: Self.shortestPause)
    }
    var seen: Set<BackupSeries> = []
    let successors = all.filter {
      seen.insert($0.series).inserted && $0.series != latest.series
        && $0.storeUUID.uppercased() == latest.storeUUID.uppercased()
        && $0.storeName == latest.storeName && isLater($0.moment)
        && beginning($0.series).map { isLater($0) } ?? true
    }
    // The place says most, then the time.
    guard
      let found = successors.min(by: { one, other in
        let same = [one, other].map { $0.latestSource?.path == latest.latestSource?.path }
        return same[0] == same[1] ? one.moment < other.moment : same[0]
      })
    else { return nil }
    (self.latest, successor) = (latest, found)
  }
}
