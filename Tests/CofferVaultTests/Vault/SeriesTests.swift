internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The backups of a series: copies of a store have its UUID, and are backed up separately.
@Suite struct SeriesTests {
  /// Backs up a store at its real path.
  @discardableResult
  private func backUp(
    _ trial: VaultTrial, _ path: String, at minute: Int, name: String? = nil, host: String? = nil
  ) throws -> BackupSummary {
    var options = BackupOptions()
    (options.time, options.cacheFolder) = (VaultTrial.time(minute), trial.cache)
    options.seriesName = name
    if let host {
      options.source = StoreSource(ofFileAt: path)
      options.source?.host = host
    }
    return try trial.vault.backup(storeAt: path, options: options)
  }

  /// Another place of a store of the same name.
  private func place(_ trial: VaultTrial, _ folder: String) throws -> String {
    let folder = trial.directory.file(folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return "\(folder)/Trips.sqlite"
  }

  private func copy(_ trial: VaultTrial, to folder: String) throws -> String {
    let path = try place(trial, folder)
    try FileManager.default.copyItem(atPath: trial.store, toPath: path)
    return path
  }

  @Test func aCopyElsewhereIsASeriesOfItsOwn() throws {
    let trial = try VaultTrial()
    let copy = try copy(trial, to: "b")
    let first = try backUp(trial, trial.store, at: 0)
    #expect(first.seriesNotice == nil)
    let second = try backUp(trial, copy, at: 1)
    #expect(second.seriesNotice == .another(first.backup.series, first.backup.source))
    #expect(first.backup.series != second.backup.series)
    #expect(first.backup.storeUUID == second.backup.storeUUID)
    #expect(try backUp(trial, trial.store, at: 2).backup.series == first.backup.series)
    var policy = RetentionPolicy()
    policy.last = 1
    try trial.vault.forget(policy)
    let left = try trial.vault.backups()
    #expect(Set(left.map(\.series)) == [first.backup.series, second.backup.series])
    #expect(Set(left.compactMap(\.source?.path)).count == 2)
  }

  @Test func copiesDoNotShareWhatIsRemembered() throws {
    let trial = try VaultTrial()
    let copy = try copy(trial, to: "b")
    try trial.edit("UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1")
    for path in [trial.store, copy] { try backUp(trial, path, at: 0) }
    for path in [trial.store, copy] {
      let made = try backUp(trial, path, at: 1)
      #expect(made.fullReason == nil)
      #expect(try trial.changeCount(in: made.backup) == 0)
    }
    #expect(try trial.states().count == 2)
  }

  @Test func aStoreThatMovedContinuesItsSeries() throws {
    let trial = try VaultTrial()
    let first = try backUp(trial, trial.store, at: 0).backup
    let moved = try place(trial, "new container")
    try FileManager.default.moveItem(atPath: trial.store, toPath: moved)
    let made = try backUp(trial, moved, at: 1)
    #expect(made.backup.series == first.series)
    #expect(made.seriesNotice == first.source.map { .moved($0) })
    #expect(made.fullReason == nil)
    let backups = try trial.vault.backups()
    #expect(backups.map(\.source) == [first.source, made.backup.source])
  }

  @Test func aStoreOfAnotherHostIsANewSeriesUnlessItIsNamed() throws {
    let trial = try VaultTrial()
    let night1 = try backUp(trial, trial.store, at: 0, host: "pod-1")
    let night2 = try backUp(trial, trial.store, at: 1440, host: "pod-2")
    #expect(night1.backup.series != night2.backup.series)
    let check = try trial.vault.check()
    #expect(check.problems == [])
    #expect(check.continuations.map(\.latest.id) == [night1.backup.id])
    #expect(check.continuations.map(\.successor.id) == [night2.backup.id])
    let named = try (1442..<1444).map { minute in
      try backUp(trial, trial.store, at: minute, name: "trips", host: "pod-\(minute)")
    }
    #expect(named[0].backup.series == named[1].backup.series)
    #expect(named[1].backup.series.name == "trips")
    #expect(named[1].fullReason == nil)
  }

  /// What is left of a series begins later than the series.
  @Test func aSeriesBesideAnotherDoesNotContinueIt() throws {
    let trial = try VaultTrial()
    let copy = try copy(trial, to: "b")
    for night in 0..<2 {
      try backUp(trial, trial.store, at: 1440 * night)
      try backUp(trial, copy, at: 1440 * night + 1)
      // Nothing shows yet that the first one ended.
      #expect(try trial.vault.check().continuations == [])
    }
    #expect(try trial.vault.check().continuations == [])
    var policy = RetentionPolicy()
    policy.last = 1
    try trial.vault.forget(policy)
    #expect(try trial.vault.backups().count == 2)
    #expect(try trial.vault.check().continuations == [])
  }

  @Test func aStoreThatIsReplacedContinuesItsSeries() throws {
    let trial = try VaultTrial()
    let first = try backUp(trial, trial.store, at: 0).backup
    try trial.vault.restore(to: trial.store, options: ImportOptions(overwriting: true))
    let made = try backUp(trial, trial.store, at: 1)
    #expect(made.backup.series == first.series)
    #expect(made.seriesNotice == nil)
  }

  /// Two disks at one mount point, for instance: only the file distinguishes the stores.
  @Test func storesThatTakeTurnsAtAPlaceAreTwoSeries() throws {
    let trial = try VaultTrial()
    var series: [[BackupSeries]] = [[], []]
    for turn in 0..<6 {
      var options = BackupOptions()
      (options.time, options.cacheFolder) = (VaultTrial.time(turn), trial.cache)
      options.source = StoreSource(host: "host", path: "/mnt/Trips.sqlite", file: "\(turn % 2)")
      series[turn % 2].append(
        try trial.vault.backup(storeAt: trial.store, options: options).backup.series)
    }
    #expect(Set(series[0].dropFirst()).count == 1)
    #expect(Set(series[1]).count == 1)
    #expect(series[0][1] != series[1][1])
  }

  @Test func aVaultOfAnEarlierVersionContinues() throws {
    let trial = try VaultTrial()
    let first = try backUp(trial, trial.store, at: 0).backup
    // Earlier versions named the folder after the UUID alone, and recorded the name of the file.
    let (old, new) = (
      "\(trial.vault.location)/\(first.series.id)", "\(trial.vault.location)/\(first.storeUUID)"
    )
    try FileManager.default.moveItem(atPath: old, toPath: new)
    try FileManager.default.removeItem(atPath: "\(new)/source-1.json")
    try Data(#"{"name":"Trips.sqlite"}"#.utf8).write(to: URL(fileURLWithPath: "\(new)/store.json"))
    let listed = try trial.vault.backups()
    #expect(listed.map(\.series.id) == [first.storeUUID])
    #expect(listed.map(\.storeName) == ["Trips.sqlite"])
    #expect(listed[0].source == nil)
    let copy = try copy(trial, to: "b")
    let made = try backUp(trial, trial.store, at: 1)
    #expect(made.seriesNotice == .unrecorded)
    #expect(made.backup.series == listed[0].series)
    #expect(made.fullReason == nil)
    #expect(try backUp(trial, copy, at: 2).backup.series != listed[0].series)
  }

  @Test func aChoiceBetweenTwoSeriesIsRefused() throws {
    let trial = try VaultTrial()
    let copy = try copy(trial, to: "b")
    let made = try [trial.store, copy].map { try backUp(trial, $0, at: 0).backup }
    let vault = trial.vault
    let id = try #require(made.first).storeUUID
    for store in [nil, "Trips", "Trips.sqlite", id] {
      let error = #expect(throws: CofferError.self) {
        try vault.find(BackupSelection(store: store))
      }
      #expect(error?.code == .noSuchBackup)
      #expect(error?.detail.contains("2 series") == true)
    }
    var policy = RetentionPolicy()
    policy.last = 1
    #expect(throws: CofferError.self) { try vault.forget(policy, of: "Trips") }
    for backup in made {
      let place = try #require(backup.source)
      for text in [backup.series.id, place.path, place.description] {
        #expect(try vault.find(BackupSelection(store: text)).id == backup.id)
      }
    }
    #expect(try vault.find(BackupSelection(store: "b/Trips.sqlite")).id == made[1].id)
  }

  // MARK: Links

  @Test func aBackupThatNobodyListsIsNoSuccess() throws {
    let trial = try VaultTrial()
    let made = try backUp(trial, trial.store, at: 0).backup
    let folder = "\(trial.vault.location)/\(made.series.id)"
    let elsewhere = trial.directory.file("elsewhere")
    try FileManager.default.moveItem(atPath: folder, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder, withDestinationPath: elsewhere)
    // Also where nothing of the series is recorded there yet.
    for _ in 0..<2 {
      let error = #expect(throws: CofferError.self) { try backUp(trial, trial.store, at: 1) }
      #expect(error?.code == .writeFailed)
      #expect(error?.place.item?.hasPrefix(made.series.id) == true)
      #expect(error?.detail.contains("link") == true)
      try FileManager.default.removeItem(atPath: "\(elsewhere)/source-1.json")
    }
    let check = try trial.vault.check()
    #expect(check.problems.map(\.kind) == [.foreignFile])
    #expect(check.problems[0].detail.contains(made.series.id))
  }

  // MARK: The law

  private static let timelines = Effort.tries(2)

  /// Copies diverge, move and come back: the latest backups of each stay, however many others are made.
  @Test func noBackupIsForgottenByTheRuleOfACopy() throws {
    for seed in 1...UInt64(max(1, Self.timelines)) { try requireLaw(seed: seed) }
  }

  /// A copy of the store.
  private struct Copy {
    var (host, place): (Int, Int)
    /// The IDs of its backups.
    var backups: [String] = []
    var digest = ""
    /// Where its latest backup was made.
    var backedUp: [Int]?
  }

  private func requireLaw(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trial = try VaultTrial()
    let vault = Vault("memory:", place: MemoryPlace())
    var copies = [Copy(host: 0, place: 0)]
    func path(_ host: Int, _ place: Int) -> String {
      trial.directory.file("\(host)-\(place).sqlite")
    }
    try FileManager.default.moveItem(atPath: trial.store, toPath: path(0, 0))
    /// A place where no copy is, and no other one was backed up last: what takes the place of a store is
    /// taken for it.
    func freePlace(_ host: Int, for number: Int? = nil) -> Int {
      let others = copies.indices.filter { $0 != number }
      let taken = copies.map { [$0.host, $0.place] } + others.compactMap { copies[$0].backedUp }
      return (0...).first { random.chance(0.5) && !taken.contains([host, $0]) } ?? 0
    }
    for minute in 0..<14 {
      let number = random.below(copies.count)
      let copy = copies[number]
      switch random.below(8) {
      case 0 where copies.count < 4:
        let host = random.below(2)
        let place = freePlace(host)
        try FileManager.default.copyItem(
          atPath: path(copy.host, copy.place), toPath: path(host, place))
        copies.append(Copy(host: host, place: place))
      case 1, 2:
        let place = freePlace(copy.host, for: number)
        try FileManager.default.moveItem(
          atPath: path(copy.host, copy.place), toPath: path(copy.host, place))
        copies[number].place = place
      default:
        if random.chance(0.5) {
          let database = try GeneratorDatabase(path: path(copy.host, copy.place))
          try database.registerCoreDataFunctions()
          try database.run("UPDATE ZTAGENTITY SET ZNAME = '\(number) \(minute)' WHERE Z_PK = 1")
        }
        var options = BackupOptions()
        (options.time, options.cacheFolder) = (VaultTrial.time(minute), trial.cache)
        var source = StoreSource(ofFileAt: path(copy.host, copy.place))
        (source.host, source.path) = ("host\(copy.host)", "/Stores/\(copy.place).sqlite")
        options.source = source
        let made = try vault.backup(storeAt: path(copy.host, copy.place), options: options)
        copies[number].backups.append(made.backup.id)
        copies[number].digest = made.contentDigest
        copies[number].backedUp = [copy.host, copy.place]
      }
      guard minute % 4 == 3 || minute == 13, copies.contains(where: { !$0.backups.isEmpty }) else {
        continue
      }
      var policy = RetentionPolicy()
      policy.last = 1 + random.below(2)
      try vault.forget(policy)
      let listed = Set(try vault.backups().map(\.id))
      for (number, copy) in copies.enumerated() {
        #expect(
          listed.isSuperset(of: copy.backups.suffix(policy.last)),
          "seed \(seed), minute \(minute), copy \(number)")
        copies[number].backups.removeAll { !listed.contains($0) }
      }
      if let copy = copies.filter({ !$0.backups.isEmpty }).randomElement(using: &random),
        let id = copy.backups.last
      {
        #expect(
          try trial.restoredDigest(BackupSelection(.id(id)), from: vault) == copy.digest,
          "seed \(seed), minute \(minute)")
      }
    }
  }
}
