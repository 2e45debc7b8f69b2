internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CoreDataStore

/// Files that cannot be opened, and the errors.
@Suite struct SnapshotErrorTests {
  private func failure(
    _ path: String, _ folder: SnapshotFolder, busyTimeout: Double = 0.2
  ) throws -> CofferError {
    let error = #expect(throws: CofferError.self) {
      _ = try StoreSnapshot(of: path, options: folder.options(busyTimeout: busyTimeout))
    }
    #expect(try folder.copyNames().isEmpty)
    return try #require(error)
  }

  @Test func nothingThere() throws {
    let folder = try SnapshotFolder()
    for path in [folder.store, folder.path + "/missing/Notes.sqlite"] {
      let error = try failure(path, folder)
      #expect(error.code == .notFound)
      #expect(error.place.path == path)
    }
    #expect(try folder.names().isEmpty)
  }

  /// A backup of pages fails without a message, and shared memory that cannot grow is an I/O error.
  ///
  /// The codes are `SQLITE_FULL` and `SQLITE_IOERR_SHMSIZE`.
  @Test(arguments: [(13, "not an error"), (4874, "disk I/O error")] as [(Int32, String)])
  func aFullDiskIsNamed(_ code: Int32, _ message: String) {
    let error = CofferError.fromSQLite(code: code, message: message, path: "Notes.sqlite")
    #expect(error.code == .writeFailed)
    #expect(error.description == "Notes.sqlite: cannot be written: database or disk is full")
    #expect(error.hint == "The disk is full. Free some space.")
  }

  @Test func theURIOfAFileIsNotShown() {
    let message = "unable to open database: file:///Notes.sqlite?mode=ro&immutable=1"
    let error = CofferError.fromSQLite(code: 14, message: message, path: "Notes.sqlite")
    #expect(error.description == "Notes.sqlite: cannot be read: unable to open database file")
  }

  @Test func aPathThatIsTooLongForSQLiteIsNamed() throws {
    let folder = try SnapshotFolder()
    let name = String(repeating: "d", count: 100)
    let long = ([folder.path] + Array(repeating: name, count: 5)).joined(separator: "/")
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
    let error = #expect(throws: CofferError.self) {
      try SQLiteConnection(path: "\(long)/Notes.sqlite", access: .writing)
    }
    #expect(error?.code == .readFailed)
    #expect(
      error?.detail
        == "SQLite opens paths of up to 504 bytes, and this needs one of \(long.utf8.count + 13)")
  }

  @Test func linkToNothing() throws {
    let folder = try SnapshotFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.store, withDestinationPath: folder.path + "/nothing")
    #expect(try failure(folder.store, folder).code == .notFound)
  }

  @Test func folderIsNamedAsOne() throws {
    let folder = try SnapshotFolder()
    let error = try failure(folder.path, folder)
    #expect(error.code == .notCoreData)
    #expect(error.detail == "it is a folder")
    #expect(error.hint != nil)
  }

  @Test func pipeIsNotOpened() throws {
    let folder = try SnapshotFolder()
    try Python.run("os.mkfifo(path)", folder.store)
    #expect(try failure(folder.store, folder).code == .readFailed)
  }

  @Test(arguments: [
    (Data(), "the file is empty"),
    (Data("SQLite format 3\0".utf8), "it ends after 16 of the 100 bytes of its header"),
    (Data(repeating: 0xa5, count: 8192), "it does not begin like an SQLite database"),
    (Data("SQLite".utf8), "it is a text file"),
  ])
  func otherBytes(_ bytes: Data, _ detail: String) throws {
    let folder = try SnapshotFolder()
    try bytes.write(to: URL(filePath: folder.store))
    // SQLite deletes the log of an empty main file when it opens it.
    try Data("x".utf8).write(to: URL(filePath: folder.store + "-wal"))
    let before = try folder.records()
    let error = try failure(folder.store, folder)
    #expect(error.code == .notSQLite)
    #expect(error.detail == detail)
    #expect(error.place.path == folder.store)
    #expect((error.hint ?? "").contains("ncrypted") == detail.contains("begin"))
    #expect(try folder.records() == before)
  }

  @Test(arguments: ["wal", "delete"])
  func otherDatabase(_ mode: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(
      "c = connect(); c.execute('pragma journal_mode=\(mode)'); c.execute('create table T(a)')",
      folder.store)
    let before = try folder.records()
    let error = try failure(folder.store, folder)
    #expect(error.code == .notCoreData)
    #expect(error.place.path == folder.store)
    #expect(try folder.records() == before)
  }

  @Test func damagedDatabase() throws {
    let folder = try SnapshotFolder()
    try Python.run(
      """
      make('delete').close()
      f = open(path, 'r+b'); f.seek(100); f.write(os.urandom(3000))
      """, folder.store)
    let before = try folder.records()
    #expect(try failure(folder.store, folder).code == .damagedStore)
    #expect(try folder.records() == before)
  }

  @Test func emptySchemaWithoutItsLogIsMissingTheLog() throws {
    let folder = try SnapshotFolder()
    try Python.run(
      """
      if os.fork() == 0: make('wal'); die()
      os.wait()
      os.remove(path + '-wal'); os.remove(path + '-shm')
      """, folder.store)
    let error = try failure(folder.store, folder)
    #expect(error.code == .walMissing)
    #expect(error.hint?.contains("Notes.sqlite-wal") == true)
    #expect(try folder.names() == ["Notes.sqlite"])
  }

  @Test(arguments: ["os.remove(path + '-wal')", "os.truncate(path + '-wal', 20000)"])
  func sharedMemoryTellsOfMissingFrames(_ loss: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(
      """
      if os.fork() == 0:
        c = make('wal')
        c.execute('pragma wal_checkpoint(truncate)')
        c.execute('update ZNOTE set ZCOUNT = 2')
        die()
      os.wait()
      \(loss)
      """, folder.store)
    let before = try folder.records()
    #expect(try failure(folder.store, folder).code == .walMissing)
    var options = folder.options()
    options.toleratesMissingFrames = true
    let snapshot = try StoreSnapshot(of: folder.store, options: options)
    let sum = try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer
    #expect(sum == 1000, "without the log it is the state before")
    #expect(snapshot.missingLogBytes > 0)
    #expect(try folder.records() == before)
  }

  @Test func noFolderForTheCopy() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('delete').close()", folder.store)
    let options = SnapshotOptions(temporaryFolder: folder.path + "/missing")
    let error = #expect(throws: CofferError.self) {
      _ = try StoreSnapshot(of: folder.store, options: options)
    }
    #expect(error?.code == .cannotCopy)
    #expect(error?.place.path == folder.store)
    #expect(try folder.names() == ["Notes.sqlite"])
  }

  @Test(arguments: ["wal", "delete"])
  func exclusiveWriterMakesItBusy(_ mode: String) throws {
    let folder = try SnapshotFolder()
    try Python.run("make('\(mode)').close()", folder.store)
    let writer = PythonProcess(
      """
      c = connect()
      c.execute('pragma locking_mode=exclusive')
      c.execute('begin exclusive'); c.execute('update ZNOTE set ZCOUNT = 2')
      say('ready'); sys.stdin.readline(); c.execute('rollback')
      """, [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let error = try failure(folder.store, folder)
    #expect(error.code == .storeBusy)
    #expect(error.place.path == folder.store)
    try writer.tell("end")
    writer.wait()
  }
}
