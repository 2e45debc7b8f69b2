internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// The program, killed at random moments while it backs up or forgets.
///
/// 8 kills are made in each place (``Effort``); the seed is printed.
@Suite struct VaultKillTests {
  private static let count = Effort.tries(8)
  private static let seed: UInt64 = Effort.seed()

  @Test func aKilledRunInAFolderLosesNothing() throws {
    let folder = try TemporaryDirectory()
    let location = folder.file("Vault")
    var campaign = try VaultKills(
      location, FolderPlace(path: location), Self.seed, environment: [:])
    campaign.age = {
      for name in try FileManager.default.subpathsOfDirectory(atPath: location)
      where name.hasSuffix(".forgotten") {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -31 * 86_400)],
          ofItemAtPath: "\(location)/\(name)")
      }
    }
    try campaign.run(Self.count)
  }

  /// About every third request fails.
  @Test(.enabled(if: S3Server.shared != nil, "\(S3Server.wanted)"))
  func aKilledRunInABucketLosesNothing() throws {
    let server = try #require(S3Server.shared)
    let address = server.newAddress(isAged: true)
    let faults = server.environment(faults: Int(Self.seed))
    var campaign = try VaultKills(
      address, server.newPlace(address), Self.seed, environment: faults)
    try campaign.run(Self.count)
  }
}

/// Runs of the program with one vault, some of which are killed, and what must be true after each.
private struct VaultKills {
  /// Makes marks of forgotten backups older than 30 days.
  var age: () throws -> Void = {}
  private let trial: VaultTrial
  private let location: String
  private let place: any BackupPlace
  private let vault: Vault
  private let runner: ProcessRunner
  private let seed: UInt64
  private var random: SeededGenerator
  /// The content digests of all states that the store has had.
  private var states: Set<String> = []
  /// The duration of the shortest run of each command, in seconds.
  private var seconds: [String: Double] = [:]
  private var tally: [String: Int] = [:]

  private static let kept = 3
  private static let backUp = "backup", forget = "forget"

  init(
    _ location: String, _ place: any BackupPlace, _ seed: UInt64, environment: [String: String]
  ) throws {
    trial = try VaultTrial()
    self.location = location
    self.place = place
    self.seed = seed
    vault = Vault(location, place: place)
    random = SeededGenerator(seed: seed)
    var all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    all["TMPDIR"] = trial.directory.file("Temporary")
    all["XDG_CACHE_HOME"] = trial.cache
    runner = ProcessRunner(try BuiltProgram.path(), environment: all)
    for folder in [trial.directory.file("Temporary"), trial.cache] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
  }

  mutating func run(_ count: Int) throws {
    try changeStore(0)
    for command in [Self.backUp, Self.forget] { try complete(command) }
    for number in 1...count {
      let label = "seed \(seed), kill \(number)"
      let command = number % 3 == 0 ? Self.forget : Self.backUp
      if command == Self.backUp { try changeStore(number) } else { try age() }
      let before = try vault.backups().map(\.id)
      let process = try runner.start(arguments(command))
      let pause = Double.random(in: 0...(seconds[command] ?? 0), using: &random)
      Thread.sleep(forTimeInterval: pause)
      process.send(signal: 9)
      let wasKilled = try process.wait().signal == 9
      let after = try vault.backups().map(\.id)
      let what = after == before ? "nothing" : command == Self.backUp ? "a backup" : "fewer backups"
      tally["\(command) \(wasKilled ? "killed" : "ended"), \(what) there", default: 0] += 1
      if command == Self.backUp {
        #expect(after.starts(with: before) && after.count <= before.count + 1, "\(label)")
      } else {
        #expect(Set(after).isSubset(of: before), "\(label)")
        #expect(Set(after).isSuperset(of: before.suffix(Self.kept)), "\(label)")
      }
      try requireRestorable(label)
      try complete(command)
      try requireClean(label)
    }
    try requireEnd()
    print("VaultKillTests: \(type(of: place)), \(count) kills, seed \(seed)")
    for (what, count) in tally.sorted(by: { $0.key < $1.key }) { print("\(count)  \(what)") }
  }

  private mutating func changeStore(_ number: Int) throws {
    try trial.rename("name \(number)")
    states.insert(try trial.contentDigest())
  }

  private func arguments(_ command: String) -> [String] {
    command == Self.backUp
      ? [command, trial.store, "--vault", location]
      : ["vault", command, location, "--keep-last", "\(Self.kept)"]
  }

  /// Runs a command to its end, which is another one only where the service failed all the time.
  private mutating func complete(_ command: String) throws {
    for attempt in 1...4 {
      let began = ContinuousClock.now
      let result = try runner.run(arguments(command))
      let duration = (ContinuousClock.now - began) / .seconds(1)
      if result.status == 0 {
        seconds[command] = min(duration, seconds[command] ?? duration)
        return
      }
      #expect(result.errorOutput.contains("it says 50") || attempt < 4, "\(result.errorOutput)")
    }
  }

  /// Requires that all that is listed is restored as one of the states.
  private func requireRestorable(_ label: String) throws {
    for backup in try vault.backups() {
      let digest = try trial.restoredDigest(BackupSelection(.id(backup.id)), from: vault)
      #expect(states.contains(digest), "\(label)")
      #expect(digest.hasPrefix(backup.contentDigestPrefix), "\(label)")
    }
  }

  /// Requires that the run after a killed one leaves nothing of it.
  private func requireClean(_ label: String) throws {
    let files = FileManager.default
    if place is FolderPlace {
      let names = try files.contentsOfDirectory(atPath: location)
      #expect(!names.contains { $0.hasPrefix(".") }, "\(label): \(names)")
    }
    #expect(try files.contentsOfDirectory(atPath: trial.directory.file("Temporary")) == [])
    let remembered = try files.subpathsOfDirectory(atPath: trial.cache)
    #expect(!remembered.contains { $0.contains("coffer-backup-") }, "\(label): \(remembered)")
  }

  /// Requires that in the end, the vault has only the kept backups.
  private mutating func requireEnd() throws {
    for _ in 0..<3 {
      try age()
      try complete(Self.forget)
    }
    let names = try place.list("").map(\.name)
    let backups = names.filter { $0.contains("Z-") }
    #expect(backups == (try vault.backups().map(\.fileName)), "seed \(seed)")
    #expect(backups.count == min(Self.kept, states.count), "seed \(seed)")
    try requireRestorable("seed \(seed), at the end")
  }
}
