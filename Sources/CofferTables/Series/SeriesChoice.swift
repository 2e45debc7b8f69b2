/// The choice of the series that a state of a store belongs to; nothing else decides this.
///
/// 1. The series with the given name.
/// 2. The series whose latest file this is: it may have moved.
/// 3. The series whose latest place this is: the file may have been replaced, as by a restore. This does not
///    apply if the file was there before the latest one: then two files alternate, such as two disks at one
///    mount point.
/// 4. A series without a recorded place, as earlier versions wrote them, if it is the only one and its file
///    has the same name.
/// 5. Otherwise a new one: an additional full backup costs less than a backup that is forgotten by the
///    rules of another store.
package struct SeriesChoice: Equatable {
  /// The known facts about an existing series.
  package struct Known {
    package var series: BackupSeries
    /// Its latest place; nil if none is recorded.
    package var source: StoreSource?
    /// The name of the store's file.
    package var fileName: String?
    /// Its places before the latest.
    package var earlier: [StoreSource] = []

    package init(
      series: BackupSeries, source: StoreSource? = nil, fileName: String? = nil,
      earlier: [StoreSource] = []
    ) {
      self.series = series
      self.source = source
      self.fileName = fileName
      self.earlier = earlier
    }

    /// Whether a file was replaced by another one after a backup, and has returned.
    func returns(_ source: StoreSource) -> Bool { earlier.contains { $0.isSameFile(as: source) } }
  }

  /// The series.
  package var series: BackupSeries
  /// An unusual fact about it; nil for none.
  package var notice: SeriesNotice?

  /// Chooses.
  ///
  /// - Parameters:
  ///   - source: where the store is.
  ///   - uuid: its UUID.
  ///   - name: the given name of the series; nil for none.
  ///   - known: the series with this UUID, in ascending order of their latest backups.
  package init(_ source: StoreSource, _ uuid: String, name: String?, among known: [Known]) {
    func isHere(_ known: Known) -> Bool { known.source?.isSamePlace(as: source) == true }
    func isReplaced(_ known: Known) -> Bool { isHere(known) && !known.returns(source) }
    let found: Known?
    if let name {
      let named = BackupSeries(storeUUID: uuid, name: name)
      series = named
      found = known.first { $0.series == named }
    } else if let known =
      known.last(where: { $0.source?.isSameFile(as: source) == true && isHere($0) })
      ?? known.last(where: { $0.source?.isSameFile(as: source) == true })
      ?? known.last(where: isReplaced) ?? Self.unrecorded(known, source)
    {
      (series, found) = (known.series, known)
    } else {
      let ids = Set(known.map(\.series))
      var number = 0
      while ids.contains(BackupSeries(storeUUID: uuid, beginningAt: source, number: number)) {
        number += 1
      }
      series = BackupSeries(storeUUID: uuid, beginningAt: source, number: number)
      found = nil
    }
    if let found {
      if let before = found.source, !before.isSamePlace(as: source) { notice = .moved(before) }
      if found.source == nil { notice = .unrecorded }
    } else if let other = known.last(where: isHere) ?? known.last {
      notice = .another(other.series, other.source)
    }
  }

  private static func unrecorded(_ known: [Known], _ source: StoreSource) -> Known? {
    guard known.count == 1, let only = known.first, only.source == nil,
      only.fileName == source.fileName
    else { return nil }
    return only
  }
}

/// An unusual fact about the series of a backup.
package enum SeriesNotice: Sendable, Equatable {
  /// The series continues at another place: the store has moved, or the name was given.
  case moved(StoreSource)
  /// The series started before places were recorded, and is assumed to belong to this store.
  case unrecorded
  /// The series is new, although another one with the same UUID exists, whose latest place is
  /// given.
  case another(BackupSeries, StoreSource?)
}
