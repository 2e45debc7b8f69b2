internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CoreDataStore

/// Locks of the process around us: closing any descriptor of a locked file drops them.
@Suite struct SnapshotLockTests {
  /// Tries to write in another process, without waiting.
  private func otherWriter(_ folder: SnapshotFolder) throws -> String {
    try Python.run(
      """
      try:
        connect().execute('begin immediate'); print('got in')
      except sqlite3.OperationalError as error: print(error)
      """, folder.store)
  }

  private func run(_ sql: String, on connection: SQLiteConnection) throws {
    try connection.use { database throws(CofferError) in try database.run(sql) }
  }

  @Test(
    arguments: ["wal", "delete", "truncate"], [SnapshotOptions.Preference.inPlace, .copy])
  func locksOfOwnConnectionsOutliveASnapshot(
    _ mode: String, _ preference: SnapshotOptions.Preference
  ) throws {
    let folder = try SnapshotFolder()
    try Python.run("make('\(mode)').close()", folder.store)
    let own = try SQLiteConnection(path: folder.store, access: .writing)
    try run("BEGIN IMMEDIATE", on: own)
    try run("UPDATE ZNOTE SET ZCOUNT = 2", on: own)
    #expect(try otherWriter(folder) == "database is locked")
    for _ in 0..<3 {
      let snapshot = try StoreSnapshot(of: folder.store, options: folder.options(preference))
      #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
      #expect(try otherWriter(folder) == "database is locked")
      snapshot.close()
      #expect(try otherWriter(folder) == "database is locked")
    }
    try run("COMMIT", on: own)
    #expect(try otherWriter(folder) == "got in")
    let after = try StoreSnapshot(of: folder.store, options: folder.options(preference))
    #expect(try after.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 2000)
    try own.close()
  }

  @Test func ownExclusiveLockOutlivesARefusedSnapshot() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('delete').close()", folder.store)
    let own = try SQLiteConnection(path: folder.store, access: .writing)
    try run("BEGIN EXCLUSIVE", on: own)
    let error = #expect(throws: CofferError.self) {
      _ = try StoreSnapshot(of: folder.store, options: folder.options(busyTimeout: 0.1))
    }
    #expect(error?.code == .storeBusy)
    #expect(try otherWriter(folder) == "database is locked")
    try run("COMMIT", on: own)
    try own.close()
  }

  /// Makes sure that the other process would notice lost locks.
  @Test(arguments: [("wal", "-shm"), ("delete", "")])
  func plainCloseLosesTheLocks(_ mode: String, _ suffix: String) throws {
    let folder = try SnapshotFolder()
    try Python.run("make('\(mode)').close()", folder.store)
    let own = try SQLiteConnection(path: folder.store, access: .writing)
    try run("BEGIN IMMEDIATE", on: own)
    #expect(try otherWriter(folder) == "database is locked")
    try FileHandle(forReadingFrom: URL(filePath: folder.store + suffix)).close()
    #expect(try otherWriter(folder) == "got in")
    try own.close()
  }

  @Test func sharedMemoryThatThisProcessHasOpenIsNotRead() throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(
      "c = make('wal'); say('ready'); sys.stdin.readline()", [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    #expect(SharedMemoryHeader.read(folder.store + "-shm")?.walLength ?? 0 > 4096)
    let own = try SQLiteConnection(path: folder.store, access: .writing)
    #expect(SharedMemoryHeader.read(folder.store + "-shm") == nil)
    try own.close()
    #expect(SharedMemoryHeader.read(folder.store + "-shm") != nil)
  }

  @Test func appCanWriteAStoreThatWasCopied() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options(.copy))
    #expect(snapshot.method == .copy)
    let own = try SQLiteConnection(path: folder.store, access: .writing)
    try run("UPDATE ZNOTE SET ZCOUNT = 2", on: own)
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
    try own.close()
  }

  @Test(arguments: ["", "-wal"])
  func changedFileIsNoCopy(_ suffix: String) throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let files = DatabaseFiles(main: folder.store)
    let copy = StoreCopy(files: files, state: try files.state(), journal: .none, isLogged: true)
    let main = try SourceFile(path: folder.store, kind: .main)
    #expect(try copy.take(main, in: folder.copies) != nil, "in peace")
    // The same bytes in another file.
    try Python.run(
      """
      import shutil
      file = path + sys.argv[2]
      shutil.copy2(file, file + '2'); os.rename(file + '2', file)
      """, folder.store, suffix)
    #expect(try copy.take(main, in: folder.copies) == nil)
    #expect(try folder.copyNames().isEmpty)
  }
}
