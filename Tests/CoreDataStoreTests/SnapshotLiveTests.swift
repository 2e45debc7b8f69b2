internal import CoreDataStore
internal import Foundation
internal import Testing

/// Stores that another process has open.
@Suite struct SnapshotLiveTests {
  /// Writes pairs of rows and moves amounts between rows as fast as it can, until told to stop.
  ///
  /// Each commit counts one up in both tables and keeps the sum, so that a snapshot of half a
  /// transaction, or of two moments, shows.
  private static func writer(mode: String, timeout: Double, truncates: Bool) -> String {
    """
    import random, select
    make('\(mode)').close()
    c = connect(timeout=\(timeout))
    c.execute('pragma wal_autocheckpoint=20')
    c.execute('pragma synchronous=off')
    c.execute('create table ZPAIR (Z_PK integer primary key)')
    say('ready')
    commits = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
      c.execute('begin immediate')
      a, b = random.sample(range(1000), 2)
      c.execute('update ZNOTE set ZCOUNT = ZCOUNT - 7 where Z_PK = ?', (a,))
      c.execute('insert into ZPAIR default values')
      c.execute('update ZNOTE set ZCOUNT = ZCOUNT + 7 where Z_PK = ?', (b,))
      c.execute('insert into ZNOTE values (null, ?, 0)', ('y' * random.randrange(3000),))
      c.execute('delete from ZNOTE where Z_PK >= 1000 and Z_PK % 3 = 0')
      c.execute('insert into Z_PRIMARYKEY values (null, ?, 0, 0)', ('x' * 50,))
      c.execute('commit')
      commits += 1
      if \(truncates ? "True" : "False") and commits % 25 == 0:
        c.execute('pragma wal_checkpoint(truncate)').fetchall()
    say(str(commits))
    say(str(c.execute('select count(*) from ZPAIR').fetchone()[0]))
    say(c.execute('pragma integrity_check').fetchone()[0])
    """
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      ("wal", 0.0, false, SnapshotOptions.Preference.inPlace), ("wal", 0.0, false, .copy),
      ("wal", 0.0, true, .inPlace), ("delete", 30, false, .inPlace),
      ("truncate", 30, false, .inPlace),
    ])
  func everySnapshotIsOneMoment(
    _ mode: String, _ timeout: Double, _ truncates: Bool,
    _ preference: SnapshotOptions.Preference
  ) throws {
    let folder = try SnapshotFolder()
    let program = Self.writer(mode: mode, timeout: timeout, truncates: truncates)
    let writer = PythonProcess(program, [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    var last: Int64 = -1
    var states: Set<Int64> = []
    for _ in 0..<50 {
      let snapshot = try StoreSnapshot(of: folder.store, options: folder.options(preference))
      let pairs = try #require(try snapshot.value("SELECT count(*) FROM ZPAIR")?.integer)
      #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
      #expect(try snapshot.value("SELECT count(*) FROM Z_PRIMARYKEY")?.integer == pairs)
      #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
      #expect(try snapshot.value("SELECT count(*) FROM ZPAIR")?.integer == pairs)
      #expect(pairs >= last, "a later snapshot is not older")
      last = pairs
      states.insert(pairs)
      snapshot.close()
    }
    #expect(states.count > 1, "the writer was at work")
    try writer.tell("stop")
    let commits = writer.line()
    #expect(commits != nil, "no commit of the writer failed")
    #expect(writer.line() == commits, "the writer lost nothing")
    #expect(writer.line() == "ok")
    #expect(try folder.copyNames().isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func snapshotsOfManyThreadsDoNotDisturbEachOther() async throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(
      Self.writer(mode: "wal", timeout: 0, truncates: true), [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let (store, options) = (folder.store, folder.options())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { @concurrent in
          for _ in 0..<10 {
            #expect(throws: Never.self) {
              let snapshot = try StoreSnapshot(of: store, options: options)
              #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
              #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
              #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
            }
          }
        }
      }
    }
    try writer.tell("stop")
    let commits = writer.line()
    #expect(commits != nil)
    #expect(writer.line() == commits)
    #expect(writer.line() == "ok")
  }

  /// Writes one row per line it is told, and says how that went; never waits for a lock.
  private static func stepwise(mode: String, checkpoint: String) -> String {
    """
    import threading
    c = make('\(mode)') if not os.path.exists(path) else connect()
    \(checkpoint)
    say('ready')
    for line in sys.stdin:
      try:
        c.execute('insert into ZNOTE values (null, ?, 1)', (line,))
        say('written')
      except Exception as error: say(str(error))
    """
  }

  @Test(arguments: ["", "c.execute('pragma wal_checkpoint(truncate)')"])
  func walWriterIsNeverKeptWaiting(_ checkpoint: String) throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(
      Self.stepwise(mode: "wal", checkpoint: checkpoint), [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let before = try folder.records(without: ["Notes.sqlite-shm"])
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .inPlace)
    #expect(try folder.records(without: ["Notes.sqlite-shm"]) == before)
    for _ in 0..<3 {
      try writer.tell("more")
      #expect(writer.line() == "written")
    }
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
    let later = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try later.value("SELECT count(*) FROM ZNOTE")?.integer == 1003)
  }

  @Test(arguments: ["make('wal')", "make('wal').execute('pragma wal_checkpoint(truncate)')"])
  func writerThatComesLaterIsNotSeenAndNotKeptWaiting(_ program: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(program + "; die()", folder.store, mayDie: true)
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .inPlace)
    let answer = try Python.run(
      """
      c = connect()
      c.execute('update ZNOTE set ZCOUNT = 2')
      c.execute('pragma wal_checkpoint(passive)').fetchall()
      c.execute('update ZNOTE set ZCOUNT = 3')
      print(c.execute('pragma wal_checkpoint(truncate)').fetchone()[0])
      """, folder.store)
    #expect(answer == "1", "the checkpoint waits for the snapshot, the commits did not")
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
    #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
    snapshot.close()
    let later = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try later.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 3000)
  }

  @Test func moreConnectionsSeeTheStateOfTheSnapshot() throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(Self.stepwise(mode: "wal", checkpoint: ""), [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .inPlace)
    let connections = snapshot.openConnections(upTo: 3)
    #expect(connections.count == 3)
    try writer.tell("more")
    #expect(writer.line() == "written")
    for connection in connections {
      let count = try connection.use { try $0.value("SELECT count(*) FROM ZNOTE")?.integer }
      #expect(count == 1000)
    }
    #expect(snapshot.openConnections(upTo: 3).isEmpty, "a later connection would see one more row")
    for connection in connections { try connection.close() }
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
  }

  /// Nobody has the store open, its app was killed: with an empty log SQLite reports a new version at
  /// each look.
  @Test(arguments: ["make('wal')", "make('wal').execute('pragma wal_checkpoint(truncate)')"])
  func moreConnectionsSeeTheStateOfAnAbandonedStore(_ program: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(program + "; die()", folder.store, mayDie: true)
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .inPlace)
    let connections = snapshot.openConnections(upTo: 2) + snapshot.openConnections(upTo: 1)
    #expect(connections.count == 3)
    // Nor can a writer that leaves again empty the log meanwhile.
    let busy = try Python.run(
      """
      c = connect()
      c.execute('update ZNOTE set ZCOUNT = 2')
      print(c.execute('pragma wal_checkpoint(truncate)').fetchone()[0])
      """, folder.store)
    #expect(busy == "1")
    for connection in connections {
      let sum = try connection.use { try $0.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer }
      #expect(sum == 1000)
    }
    #expect(snapshot.openConnections(upTo: 3).isEmpty, "a later connection would see other rows")
    for connection in connections { try connection.close() }
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func moreConnectionsNeverSeeAnotherState(_ truncates: Bool) throws {
    let folder = try SnapshotFolder()
    // Now and then it rests, so that some snapshots can have more connections.
    let program = Self.writer(mode: "wal", timeout: 0, truncates: truncates)
      .replacing(
        "commits += 1", with: "commits += 1; commits % 9 or __import__('time').sleep(0.02)")
    let writer = PythonProcess(program, [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    var opened = 0
    for _ in 0..<60 {
      let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
      let pairs = try snapshot.value("SELECT count(*) FROM ZPAIR")?.integer
      let connections = snapshot.openConnections(upTo: 2)
      opened += connections.count
      for connection in connections {
        let (count, sum) = try connection.use { database in
          (
            try database.value("SELECT count(*) FROM ZPAIR")?.integer,
            try database.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer
          )
        }
        #expect(count == pairs)
        #expect(sum == 1000)
        try connection.close()
      }
      snapshot.close()
    }
    #expect(opened > 0, "some had more connections")
    try writer.tell("stop")
    let commits = writer.line()
    #expect(commits != nil, "no commit of the writer failed")
    #expect(writer.line() == commits)
    #expect(writer.line() == "ok")
  }

  @Test func snapshotOfRollbackModeKeepsNobodyWaitingOnceOpen() throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(Self.stepwise(mode: "delete", checkpoint: ""), [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .copy)
    try writer.tell("more")
    #expect(writer.line() == "written")
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
  }

  @Test func openTransactionIsNotSeenInRollbackMode() throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(
      """
      c = make('delete')
      c.execute('begin immediate'); c.execute('update ZNOTE set ZCOUNT = 2')
      say('ready'); sys.stdin.readline(); c.execute('commit'); say('committed')
      """, [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    #expect(try folder.names() == ["Notes.sqlite", "Notes.sqlite-journal"])
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
    #expect(try folder.records() == before)
    try writer.tell("commit")
    #expect(writer.line() == "committed")
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 1000)
  }

  @Test func lockThatGoesAwayInTimeIsWaitedFor() throws {
    let folder = try SnapshotFolder()
    let writer = PythonProcess(
      """
      import threading, time
      c = make('delete')
      c.execute('begin exclusive'); c.execute('update ZNOTE set ZCOUNT = 2')
      say('ready'); time.sleep(0.3); c.execute('commit'); sys.stdin.readline()
      """, [folder.store])
    try writer.start()
    #expect(writer.line() == "ready")
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value("SELECT sum(ZCOUNT) FROM ZNOTE")?.integer == 2000)
  }
}
