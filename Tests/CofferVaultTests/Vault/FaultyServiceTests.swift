internal import BackupPlaces
internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// A vault on a service that loses bytes, or that lists sizes that no file has.
@Suite struct FaultyServiceTests {
  /// The next backup, and `forget`, would take it for the latest state.
  @Test func aBackupThatReadsBackDifferentlyDoesNotStay() throws {
    let trial = try VaultTrial()
    let place = MemoryPlace()
    let vault = Vault("memory:", place: place)
    let intact = try trial.backup(at: 0, to: vault).backup
    try trial.rename("other")
    let faulty = Vault("memory:", place: FaultyService(place: place, losesBytes: true))
    let error = #expect(throws: CofferError.self) {
      try trial.backup(at: 1, to: faulty, options: VaultTrial.full)
    }
    #expect(error?.code == .writeFailed)
    #expect(error?.detail == "it reads back differently from what was written")
    #expect(try vault.backups().map(\.id) == [intact.id])
  }

  @Test func sizesWithoutASumAreNoTrap() throws {
    let trial = try VaultTrial()
    let place = MemoryPlace()
    for minute in 0..<3 {
      try trial.rename("Tag \(minute)")
      try trial.backup(at: minute, to: Vault("memory:", place: place), options: VaultTrial.full)
    }
    let vault = Vault("memory:", place: FaultyService(place: place, size: .max))
    var policy = RetentionPolicy()
    policy.last = 1
    _ = try vault.forget(policy)
    let later = Instant(secondsSince1970: Int64(Date().timeIntervalSince1970) + 7_200)
    let summary = try vault.forget(policy, of: nil, isDryRun: false, now: later)
    #expect(summary.removedFileCount == 2)
  }
}

/// A service with faults, which a test chooses.
private struct FaultyService: BackupPlace {
  let place: MemoryPlace
  /// Whether full archives lack their last byte.
  var losesBytes = false
  /// The size of each file in a list.
  var size: UInt64?
  var address: String { place.address }

  func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
    try place.list(prefix).map {
      PlacedFile(name: $0.name, byteCount: size ?? $0.byteCount, written: $0.written)
    }
  }
  func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    let bytes = try place.read(name, range: range)
    return losesBytes && name.contains("-full") ? bytes.dropLast() : bytes
  }
  func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    try place.putIfAbsent(name, from: file)
  }
  func put(_ name: String, from file: String) throws(CofferError) {
    try place.put(name, from: file)
  }
  func delete(_ name: String) throws(CofferError) { try place.delete(name) }
}
