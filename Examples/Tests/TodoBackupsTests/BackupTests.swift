import Foundation
import Testing
import TodoBackups

@Suite struct BackupTests {
  private let folder: URL
  private let store: URL

  init() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = folder.appending(path: "Todo.sqlite")
    let backup = try #require(
      Bundle.module.path(forResource: "Todo.coffer.tar", ofType: "gz", inDirectory: "Fixtures"))
    try await StoreImporter().import(backup, to: store.path)
  }

  @Test func theNewestBackupsAreKept() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var backups = Backups(in: folder.appending(path: "Backups"))
    backups.limit = 2
    var made: [URL] = []
    for _ in 1...3 { made.append(try await backups.add(store)) }
    #expect(
      try backups.all().map(\.lastPathComponent)
        == [made[2], made[1]].map(\.lastPathComponent))
  }

  @Test func aRequestedBackupTakesThePlaceOfTheStore() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let backups = Backups(in: folder.appending(path: "Backups"))
    let archive = try await backups.add(store)
    let restore = LaunchRestore(of: store)
    #expect(await restore.complete() == .nothingRequested)
    try restore.request(archive)
    guard case .restored(let count) = await restore.complete() else {
      Issue.record("not restored")
      return
    }
    #expect(count > 0)
    #expect(await restore.complete() == .nothingRequested)
  }

  @Test func whatIsNoBackupLeavesTheStoreAsItWas() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = try Data(contentsOf: store)
    let restore = LaunchRestore(of: store)
    let text = folder.appending(path: "text")
    try Data("no archive".utf8).write(to: text)
    try restore.request(text)
    guard case .failed(let reason) = await restore.complete() else {
      Issue.record("it was restored")
      return
    }
    #expect(reason.contains("not an archive"))
    #expect(try Data(contentsOf: store) == bytes)
  }

  @Test func aLostStoreIsReplacedByTheNewestBackupThatIsSound() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let backups = Backups(in: folder.appending(path: "Backups"))
    let old = try await backups.add(store)
    let new = try await backups.add(store)
    try Data("cut".utf8).write(to: new)
    try FileManager.default.removeItem(at: store)
    let used = try await LaunchRestore(of: store).fallBack(to: backups)
    #expect(used?.lastPathComponent == old.lastPathComponent)
    let restored = try await StoreInspector().inspect(store.path)
    #expect(restored.entities.isEmpty == false)
  }

  @Test func aBackupThatIsCancelledLeavesNothing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let backups = Backups(in: folder.appending(path: "Backups"))
    let store = store
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await backups.add(store)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try backups.all() == [])
  }
}
