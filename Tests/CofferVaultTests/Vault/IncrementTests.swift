internal import BackupPlaces
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// Backups that are kept as changes: each is read as the archive of its state.
@Suite struct IncrementTests {
  static let key =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"

  private func requireAll(_ digests: [String], of trial: VaultTrial, in vault: Vault) throws {
    let backups = try vault.backups()
    #expect(backups.map(\.kind) == [.full, .changes, .changes, .changes, .full, .changes])
    #expect(Set(digests).count == digests.count)
    for (minute, digest) in digests.enumerated() {
      let time = BackupSelection(.until(VaultTrial.time(minute)))
      #expect(try trial.restoredDigest(time, from: vault) == digest, "minute \(minute)")
      let opened = try vault.open(BackupSelection(.id(backups[minute].id)))
      let state = try BackupChain(full: opened.path, changes: [], environment: vault.environment)
      #expect(state.contentDigest == digest)
      withExtendedLifetime(opened) {}
    }
    #expect(digests[5] == (try trial.contentDigest()))
  }

  @Test func everyMomentIsRestoredAsItWas() throws {
    let trial = try VaultTrial()
    let place = FolderPlace(path: trial.vault.location)
    try requireAll(trial.timeline(in: place), of: trial, in: trial.vault)
  }

  @Test func filesThatAreNotInAFolderAreCopied() throws {
    let trial = try VaultTrial()
    let place = MemoryPlace()
    let vault = Vault("memory:", place: place)
    try requireAll(trial.timeline(to: vault, in: place), of: trial, in: vault)
  }

  @Test func encryptedIncrementsAreRead() throws {
    let trial = try VaultTrial()
    let identities = try ArchiveIdentity.identities(inFile: Array(Self.key.utf8))
    var vault = trial.vault
    vault.environment.identities = identities
    let digests = try trial.timeline(
      to: vault, in: FolderPlace(path: vault.location),
      identities.compactMap(\.recipient))
    try requireAll(digests, of: trial, in: vault)
    let error = #expect(throws: CofferError.self) { try trial.vault.open() }
    #expect(error?.code == .encryptedArchive)
  }

  /// Only what is asked for is put together: no archive of the state is written.
  @Test func whatIsShownOfABackupIsWhatARestoreHas() throws {
    let trial = try VaultTrial()
    let place = FolderPlace(path: trial.vault.location)
    try trial.timeline(in: place)
    func shown(_ path: String, _ environment: WorkEnvironment) throws -> [ShownObject] {
      var objects: [ShownObject] = []
      for entity: Name in ["TagEntity", "TodoEntity", "ItemEntity", "AttachmentEntity"] {
        let query = ObjectQuery(entityName: entity)
        try ObjectBrowser(environment: environment).show(path, query) { object in
          var object = object
          object.relationships.removeAll(where: \.isToMany)
          objects.append(object)
        }
      }
      return objects
    }
    for backup in try trial.vault.backups() {
      let selection = BackupSelection(.id(backup.id))
      let restored = trial.directory.file("Shown-\(backup.id).sqlite")
      try trial.vault.restore(selection, to: restored)
      let expected = try shown(restored, WorkEnvironment())
      #expect(expected.count > 3)
      let state = try trial.vault.composedState(selection)
      #expect((state == nil) == (backup.kind == .full))
      guard let state else { continue }
      var environment = WorkEnvironment()
      environment.composed = state
      let found = try shown(state.path, environment)
      #expect(found.count == expected.count)
      for (found, expected) in zip(found, expected) { #expect(found == expected) }
      #expect(!FileManager.default.fileExists(atPath: state.path))
      // A condition about other objects needs a store, which the archive gives.
      let query = ObjectQuery(
        entityName: "TagEntity", condition: "todos.@count >= 0")
      let browser = ObjectBrowser(environment: environment)
      #expect(throws: Never.self) { try browser.show(state.path, query) { _ in } }
      #expect(FileManager.default.fileExists(atPath: state.path))
    }
  }

  @Test func theTemporaryArchiveGoesWithTheBackup() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.increment(at: 1)
    var vault = trial.vault
    let folder = trial.directory.file("temporary")
    vault.environment.temporaryFolder = folder
    let error = #expect(throws: CofferError.self) { try vault.open() }
    #expect(error?.code == .temporaryStorageFailed)
    #expect(error?.hint != nil)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    do {
      let opened = try vault.open()
      #expect(opened.isTemporary)
      #expect(opened.path.hasPrefix(folder + "/"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func whatIsWrongWithAChainIsNamed() throws {
    let trial = try VaultTrial()
    try trial.timeline(in: FolderPlace(path: trial.vault.location))
    let backups = try trial.vault.backups()
    let files = backups.map { "\(trial.vault.location)/\($0.fileName)" }
    func requireError(_ code: CofferError.Code, at file: Int) {
      let error = #expect(throws: CofferError.self) {
        try trial.vault.open(BackupSelection(.id(backups[3].id)))
      }
      #expect(error?.code == code)
      #expect(error?.description.contains(backups[file].fileName) == true)
      #expect(error?.hint != nil)
    }
    /// Runs with another content of a file; nil for none.
    func with(_ content: Data?, at file: Int, _ body: () -> Void) throws {
      let whole = try Data(contentsOf: URL(fileURLWithPath: files[file]))
      defer { try? whole.write(to: URL(fileURLWithPath: files[file])) }
      if let content {
        try content.write(to: URL(fileURLWithPath: files[file]))
      } else {
        try FileManager.default.removeItem(atPath: files[file])
      }
      body()
    }
    let content = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    try with(nil, at: 1) { requireError(.missingEntry, at: 2) }
    try with(nil, at: 0) { requireError(.missingEntry, at: 1) }
    try with(content[2].prefix(content[2].count / 2), at: 2) {
      requireError(.truncatedArchive, at: 2)
    }
    // The state of another time under the name of the base, and changes from another one.
    try with(content[4], at: 0) { requireError(.wrongState, at: 1) }
    try with(content[1], at: 2) { requireError(.wrongState, at: 2) }
    _ = try trial.vault.open(BackupSelection(.id(backups[3].id)))
  }
}
