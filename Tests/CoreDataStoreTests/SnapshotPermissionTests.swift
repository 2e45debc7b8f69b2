internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import Testing

/// Places that may not be written, and files that may not be read.
///
/// Permissions do not stop root, so these run in a process of their own that becomes a user without
/// rights, where the tests run as root.
@Suite struct SnapshotPermissionTests {
  private static let nobody: uid_t = 65_534

  private static func giveUpRights() throws {
    if geteuid() == 0 { try #require(setuid(nobody) == 0) }
  }

  private func setMode(_ path: String, _ mode: mode_t) {
    #expect(unsafe chmod(path, mode) == 0)
  }

  /// A folder with a store, nothing in which may be written; copies can be made.
  private func lockedFolder(_ program: String) throws -> SnapshotFolder {
    let folder = try SnapshotFolder()
    try Python.run(program, folder.store, mayDie: true)
    for name in try folder.names() { setMode(folder.path + "/" + name, 0o444) }
    setMode(folder.path, 0o555)
    setMode(folder.copies, 0o777)
    return folder
  }

  private func unlock(_ folder: SnapshotFolder) { setMode(folder.path, 0o755) }

  @Test(arguments: [
    "make('wal'); die()",
    "make('wal').execute('pragma wal_checkpoint(truncate)'); die()",
    """
    if os.fork() == 0: make('wal'); die()
    os.wait()
    os.remove(path + '-shm')
    """,
    "make('wal').close()",
    "make('delete').close()",
    """
    c = make('delete')
    c.execute('pragma cache_size=5'); c.execute('begin'); c.execute('update ZNOTE set ZCOUNT = 2')
    die()
    """,
  ])
  func folderThatMayNotBeWritten(_ program: String) async throws {
    let folder = try lockedFolder(program)
    defer { unlock(folder) }
    let before = try folder.records()
    await #expect(processExitsWith: .success) {
      [
        store = folder.store as String, copies = folder.copies as String
      ] in
      try SnapshotPermissionTests.giveUpRights()
      let options = SnapshotOptions(temporaryFolder: copies)
      let snapshot = try StoreSnapshot(of: store, options: options)
      #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
      #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
    }
    #expect(try folder.records() == before)
    #expect(try folder.copyNames().isEmpty)
  }

  @Test(arguments: ["", "-wal"])
  func fileThatMayNotBeRead(_ suffix: String) async throws {
    let folder = try lockedFolder("make('wal'); die()")
    defer { unlock(folder) }
    setMode(folder.store + suffix, 0)
    await #expect(processExitsWith: .success) {
      [
        store = folder.store as String, copies = folder.copies as String, suffix = suffix as String
      ] in
      try SnapshotPermissionTests.giveUpRights()
      let options = SnapshotOptions(busyTimeout: 0.2, temporaryFolder: copies)
      let error = #expect(throws: CofferError.self) {
        _ = try StoreSnapshot(of: store, options: options)
      }
      #expect(error?.code == .readFailed)
      #expect(error?.place.path == store + suffix)
    }
    #expect(try folder.copyNames().isEmpty)
  }

  @Test func sharedMemoryThatMayNotBeReadIsNotNeeded() async throws {
    let folder = try lockedFolder("make('wal'); die()")
    defer { unlock(folder) }
    setMode(folder.store + "-shm", 0)
    let before = try folder.names()
    await #expect(processExitsWith: .success) {
      [
        store = folder.store as String, copies = folder.copies as String
      ] in
      try SnapshotPermissionTests.giveUpRights()
      let snapshot = try StoreSnapshot(of: store, options: SnapshotOptions(temporaryFolder: copies))
      #expect(snapshot.method == .copy)
      #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
    }
    #expect(try folder.names() == before)
  }

  /// Opened in place by root, SQLite would give the companions the owner of the main file.
  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func ownersStay() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let result = unsafe chown(folder.store, Self.nobody, Self.nobody)
    try #require(result == 0)
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .copy)
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
    #expect(try folder.records() == before)
  }

  @Test(arguments: [
    "make('wal'); die()",
    "make('wal').close()",
    "make('delete').close()",
    """
    if os.fork() == 0: make('wal'); die()
    os.wait()
    os.remove(path + '-shm')
    """,
  ])
  func readOnlyFileSystem(_ program: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(program, folder.store, mayDie: true)
    guard let mount = try ReadOnlyMount(of: folder.path, at: folder.root.path + "/mounted") else {
      try Test.cancel("file systems may not be mounted here")
    }
    let before = try folder.records(mount.path)
    let snapshot = try StoreSnapshot(of: mount.path + "/Notes.sqlite", options: folder.options())
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
    #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
    snapshot.close()
    #expect(try folder.records(mount.path) == before)
    mount.end()
  }
}

/// A folder that is seen through a file system without writing; only Linux, and only root.
struct ReadOnlyMount {
  let path: String

  /// Mounts a folder; nil where that is not permitted.
  init?(of folder: String, at path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.succeeds("mount", "--bind", folder, path) else { return nil }
    guard Self.succeeds("mount", "-o", "remount,ro,bind", path) else {
      end()
      return nil
    }
  }

  func end() { _ = Self.succeeds("umount", path) }

  private static func succeeds(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
