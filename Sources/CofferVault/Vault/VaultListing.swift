internal import BackupPlaces
internal import CofferTables
internal import CoreDataModel
internal import Foundation

extension Instant {
  /// When a file was written, by the clock of its place.
  init(written file: PlacedFile) {
    let seconds = file.written.timeIntervalSince1970
    self.init(secondsSince1970: Int64(seconds.isFinite ? max(-1e15, min(seconds, 1e15)) : 0))
  }
}

/// The contents of a vault, by the names of its files.
struct VaultListing {
  /// The backups of each series, the oldest first.
  private(set) var backups: [BackupSeries: [Backup]] = [:]
  /// The files of each series whose backup is forgotten, which stay for a while.
  private(set) var forgotten: [BackupSeries: [Forgotten]] = [:]
  /// The changes of each series that are not marked yet, although there is a full archive of their state.
  private(set) var superseded: [BackupSeries: [Backup]] = [:]
  /// The numbers of the documents of the places of each series, the earliest first.
  private(set) var sources: [BackupSeries: [Int]] = [:]
  private var files: [BackupSeries: [Backup]] = [:]
  /// The files with each state of each series, in their order.
  private var states: [String: [Backup]] = [:]
  /// Whether the file exists that makes a folder a vault.
  private(set) var isVault = false
  /// Whether the place has any file.
  let isEmpty: Bool

  /// A file that an empty one next to it marks as forgotten.
  struct Forgotten {
    var marker: String
    var marked: Instant
    /// The backup; nil if its file is gone.
    var backup: Backup?
  }

  /// The text after the name of a file in the name of its mark.
  static let forgottenEnding = ".forgotten"

  init(_ files: [PlacedFile]) {
    isEmpty = files.isEmpty
    var marks = Self.marks(files)
    var found: [BackupSeries: [Backup]] = [:]
    var unmarked: [BackupSeries: [Backup]] = [:]
    for file in files {
      if file.name == VaultDocument.fileName { isVault = true }
      if let (series, number) = Self.source(file) { sources[series, default: []].append(number) }
      guard let backup = Self.backup(file) else { continue }
      found[backup.series, default: []].append(backup)
      if let time = marks.removeValue(forKey: file.name) {
        forgotten[backup.series, default: []].append(
          Forgotten(marker: file.name + Self.forgottenEnding, marked: time, backup: backup))
      } else {
        unmarked[backup.series, default: []].append(backup)
      }
    }
    for (name, time) in marks {
      guard let series = Self.series(of: name) else { continue }
      forgotten[series, default: []].append(
        Forgotten(marker: name + Self.forgottenEnding, marked: time, backup: nil))
    }
    for series in sources.keys { sources[series]?.sort() }
    for (store, all) in found {
      let all = all.sorted(by: Self.precedes)
      self.files[store] = all
      for file in all { states["\(store.id)/\(file.name.content)", default: []].append(file) }
      settle(store, unmarked[store] ?? [])
    }
  }

  private static func marks(_ files: [PlacedFile]) -> [String: Instant] {
    var marks: [String: Instant] = [:]
    for file in files where file.name.hasSuffix(forgottenEnding) {
      marks[String(file.name.dropLast(forgottenEnding.count))] = Instant(written: file)
    }
    return marks
  }

  /// The backup in a file; nil for any other file.
  private static func backup(_ file: PlacedFile) -> Backup? {
    let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let series = BackupSeries(id: String(parts[0])),
      let name = BackupName(String(parts[1]))
    else { return nil }
    return Backup(series: series, name: name, byteCount: Int(clamping: file.byteCount))
  }

  /// The series in whose folder a file is; nil for any other file.
  static func series(of name: String) -> BackupSeries? {
    name.split(separator: "/", maxSplits: 1).first.flatMap { BackupSeries(id: String($0)) }
  }

  /// The series and the number of a document of its places; nil for any other file.
  private static func source(_ file: PlacedFile) -> (BackupSeries, Int)? {
    guard let series = series(of: file.name),
      let number = VaultSourceDocument.number(of: file.name.dropFirst(series.id.count + 1))
    else { return nil }
    return (series, number)
  }

  /// Whether a file comes before another: in the order of the states, and changes before a full archive of
  /// the same state.
  private static func precedes(_ one: Backup, _ other: Backup) -> Bool {
    let stems = (one.name.stem, other.name.stem)
    return stems.0 == stems.1
      ? one.kind == .changes && other.kind == .full : stems.0 < stems.1
  }

  /// Decides which files are listed.
  ///
  /// Once there is a full archive of a state, it alone says whether the backup is forgotten.
  private mutating func settle(_ store: BackupSeries, _ unmarked: [Backup]) {
    let full = Set(files(of: store).filter { $0.kind == .full }.map(\.name.stem))
    var byStem: [String: Backup] = [:]
    for backup in unmarked {
      if backup.kind == .changes, full.contains(backup.name.stem) {
        superseded[store, default: []].append(backup)
      } else {
        byStem[backup.name.stem] = backup
      }
    }
    if !byStem.isEmpty { backups[store] = byStem.values.sorted(by: Self.precedes) }
  }

  /// All files of a series in the order of the states, of each state the full archive last; also those that
  /// are not listed.
  func files(of store: BackupSeries) -> [Backup] { files[store] ?? [] }

  /// The series with backups, in ascending order.
  var series: [BackupSeries] { backups.keys.sorted() }

  /// A backup with all that it is made of: a full archive, then changes, each of the state before.
  ///
  /// - Throws: ``CofferError`` with `missing-entry` if a base is not there.
  func chain(of backup: Backup, vault: String) throws(CofferError) -> [Backup] {
    let links = links(of: backup)
    if let first = links.first, let base = first.name.base {
      throw CofferError(
        .missingEntry, path: vault, item: first.fileName,
        detail: "the backup that its changes begin with, of the state \(base), is not in the vault",
        advice: "Restore another backup; a check of the vault lists the complete backups.")
    }
    return links
  }

  /// A file of a backup with all files of its base, as far as they exist.
  ///
  /// Files of forgotten backups count: a backup may have started just before its base was forgotten.
  func links(of backup: Backup) -> [Backup] {
    var links = [backup]
    while let last = links.last, let base = last.name.base {
      // The latest state with these digits before it; times descend, so this ends.
      let stem = last.name.stem
      let same = states["\(backup.series.id)/\(base)"] ?? []
      guard let found = same.last(where: { $0.name.stem < stem }) else { break }
      links.append(found)
    }
    return links.reversed()
  }
}
