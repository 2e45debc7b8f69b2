internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The findings of a repair and their outcomes, in a temporary database, so that memory stays
/// bounded.
///
/// Findings are of one kind if they differ only in their details, which another repair can change. Only
/// findings to repair, warnings and errors are kept; results are compared by these.
final class RepairLedger {
  /// A finding to repair, and its number.
  struct Item {
    let number: Int64
    let finding: Finding
  }

  enum State: Int64 {
    case open, repaired, settled, refused
    /// Refused because of its outcome in an earlier round.
    case abandoned
  }

  private struct Place: Hashable {
    let code: FindingCode
    let entityName: Name?
    let objectEntity: Name?
    let propertyName: Name?
    /// The names of missing parts of the schema, which have no other identity; otherwise empty.
    let parts: String
  }

  /// The number of findings of each code in the state that was verified last.
  private(set) var counts: [FindingCode: Int] = [:]
  private let turn: (FindingCode) -> Int?
  private let connection: SQLiteConnection
  private let statements: EditStatements
  private var places: [Place] = []
  private var numbers: [Place: Int64] = [:]
  private var noted: (object: StoredObject, number: Int64)?

  /// The number of rows that are read at once.
  private static let batch = 1000
  private static let isSameKind = "o.place = f.place AND o.key IS f.key"

  /// Begins without findings; the turn of a code is when they are repaired, nil for never.
  init(turn: @escaping (FindingCode) -> Int?) throws(CofferError) {
    self.turn = turn
    connection = try .temporary()
    statements = try connection.use { database throws(CofferError) in
      for sql in [
        "CREATE TABLE found (n INTEGER PRIMARY KEY, side INTEGER, place INTEGER, key INTEGER, detail)",
        "CREATE INDEX found_kind ON found (side, place, key)",
        "CREATE TABLE wanted (n INTEGER PRIMARY KEY, turn INTEGER, place INTEGER, key INTEGER, detail, "
          + "state INTEGER, text)",
        "CREATE INDEX wanted_kind ON wanted (place, key)",
        "CREATE INDEX wanted_turn ON wanted (turn, n)",
        "CREATE TABLE fresh (n INTEGER PRIMARY KEY, place INTEGER, key INTEGER, more INTEGER)",
        "CREATE TABLE cause (t INTEGER, k INTEGER, n INTEGER, PRIMARY KEY (t, k, n)) WITHOUT ROWID",
        "CREATE INDEX cause_n ON cause (n)",
      ] { try database.run(sql) }
      return EditStatements(database)
    }
  }

  /// Whether a canceled task ends its work.
  private var isCancelable = true

  deinit { connection.use { _ in statements.removeAll() } }

  @discardableResult
  private func run(_ sql: String, _ arguments: SQLiteValue...) throws(CofferError) -> Int {
    try connection.use { _ throws(CofferError) in try statements.run(sql, arguments) }
  }

  /// Passes on the rows of a query after a number, which is the first column and parameter.
  private func forEachRow(
    _ sql: String, _ arguments: [SQLiteValue] = [], _ body: ([SQLiteValue]) throws -> Void
  ) throws {
    var last = SQLiteValue.integer(0)
    while true {
      if isCancelable { try Task<Never, Never>.checkCancellation() }
      let rows = try connection.use { database throws(CofferError) in
        try database.rows(sql + " LIMIT \(Self.batch)", [last] + arguments)
      }
      guard let end = rows.last else { return }
      last = end[0]
      for row in rows { try body(row) }
    }
  }

  // MARK: Findings

  /// Adds a finding of the store before the repair, or after it.
  func add(_ finding: Finding, isAfter: Bool) throws(CofferError) {
    counts[finding.code, default: 0] += 1
    let turn = turn(finding.code)
    guard turn != nil || finding.severity > .info else { return }
    let place = number(of: finding)
    let key = finding.objectID.map { SQLiteValue.integer($0.primaryKey) } ?? .null
    let detail = SQLiteValue.string(finding.detail)
    try run(
      "INSERT INTO found (side, place, key, detail) VALUES (?, ?, ?, ?)", .integer(isAfter ? 1 : 0),
      .integer(place), key, detail)
    guard !isAfter, let turn else { return }
    try run(
      "INSERT INTO wanted (turn, place, key, detail, state) VALUES (?, ?, ?, ?, 0)",
      .integer(Int64(turn)), .integer(place), key, detail)
  }

  private func number(of finding: Finding) -> Int64 {
    let place = Place(
      code: finding.code, entityName: finding.entityName,
      objectEntity: finding.objectID?.entityName, propertyName: finding.propertyName,
      parts: finding.code.check == .schema ? finding.detail : "")
    if let known = numbers[place] { return known }
    let number = Int64(places.count)
    places.append(place)
    numbers[place] = number
    return number
  }

  private func place(_ number: SQLiteValue) -> Place { places[Int(number.integer ?? 0)] }

  private func finding(_ values: ArraySlice<SQLiteValue>) -> Finding {
    let values = Array(values)
    let place = place(values[0])
    let objectID = place.objectEntity.flatMap { entity in
      values[1].integer.map { ManagedObjectID(entityName: entity, primaryKey: $0) }
    }
    return Finding(
      place.code, entityName: place.entityName, objectID: objectID,
      propertyName: place.propertyName, detail: values[2].string ?? "")
  }

  // MARK: Rounds

  /// Whether anything waits to be repaired.
  var hasOpenItems: Bool {
    get throws(CofferError) {
      try connection.use { _ throws(CofferError) in
        try statements.row("SELECT 1 FROM wanted WHERE state = 0 LIMIT 1") != nil
      }
    }
  }

  /// Forgets the outcomes of the findings, except abandoned ones.
  ///
  /// If one finding of a kind is abandoned, all are: they concern the same value.
  func beginRound() throws(CofferError) {
    let abandoned =
      "FROM wanted AS o WHERE o.state = \(State.abandoned.rawValue) AND \(Self.isSameKind)"
    try run(
      "UPDATE wanted AS f SET state = \(State.abandoned.rawValue), text = (SELECT text \(abandoned)) "
        + "WHERE EXISTS (SELECT 1 \(abandoned))")
    try run("UPDATE wanted SET state = 0, text = NULL WHERE state <> \(State.abandoned.rawValue)")
    try run("DELETE FROM cause")
    noted = nil
  }

  /// Forgets the findings after the repair, before new ones are added.
  func beginAfter() throws(CofferError) {
    try run("DELETE FROM found WHERE side = 1")
    counts = [:]
  }

  /// Passes on the findings that wait for a turn.
  func forEachItem(atTurn turn: Int, _ body: (Item) throws -> Void) throws {
    try forEachRow(
      "SELECT n, place, key, detail FROM wanted WHERE n > ? AND turn = ? AND state = 0 ORDER BY n",
      [.integer(Int64(turn))]
    ) { row in
      try body(Item(number: row[0].integer ?? 0, finding: finding(row[1...])))
    }
  }

  /// Records the outcome of a finding.
  func settle(_ item: Item, _ outcome: FixOutcome) throws(CofferError) {
    let (state, text): (State, String) =
      switch outcome {
      case .repaired(let change): (.repaired, change)
      case .settled: (.settled, "")
      case .refused(let reason): (.refused, reason)
      }
    try run(
      "UPDATE wanted SET state = ?, text = ? WHERE n = ?", .integer(state.rawValue), .string(text),
      .integer(item.number))
  }

  func note(_ object: StoredObject, changedFor item: Item) throws(CofferError) {
    if let noted, noted == (object, item.number) { return }
    noted = (object, item.number)
    try run(
      "INSERT OR IGNORE INTO cause VALUES (?, ?, ?)", .integer(Int64(object.table)),
      .integer(object.key), .integer(item.number))
  }

  // MARK: Before and after

  /// Abandons repairs whose findings remain, and returns their number.
  func abandonIneffective(_ reason: String) throws(CofferError) -> Int {
    try run(
      "UPDATE wanted AS f SET state = \(State.abandoned.rawValue), text = ? WHERE state IN "
        + "(\(State.repaired.rawValue), \(State.settled.rawValue)) AND EXISTS "
        + "(SELECT 1 FROM found AS o WHERE o.side = 1 AND \(Self.isSameKind))", .string(reason))
  }

  /// Adds repairable findings that were hidden before, and returns their number.
  func addHidden() throws(CofferError) -> Int {
    var count = 0
    for (number, place) in places.enumerated() {
      guard let turn = turn(place.code) else { continue }
      count += try run(
        "INSERT INTO wanted (turn, place, key, detail, state) SELECT ?, place, key, detail, 0 "
          + "FROM found AS f WHERE side = 1 AND place = ? AND NOT EXISTS "
          + "(SELECT 1 FROM wanted AS o WHERE \(Self.isSameKind)) ORDER BY n",
        .integer(Int64(turn)), .integer(Int64(number)))
    }
    return count
  }

  /// Abandons the repairs that changed the objects of new warnings and errors, or else the repairs
  /// that changed their tables.
  ///
  /// - Returns: the number of abandoned findings.
  func abandonHarmful(_ object: (ManagedObjectID) -> StoredObject?) throws -> Int {
    try findFresh()
    var count = 0
    try forEachRow("SELECT n, place, key FROM fresh WHERE n > ? ORDER BY n") { row in
      let found = finding([row[1], row[2], .null])
      guard let object = found.objectID.flatMap(object) else { return }
      count += try run(
        "UPDATE wanted SET state = \(State.abandoned.rawValue), text = ?1 WHERE state = "
          + "\(State.repaired.rawValue) AND n IN (SELECT n FROM cause WHERE t = ?2 AND k = "
          + "iif(EXISTS (SELECT 1 FROM cause WHERE t = ?2 AND k = ?3), ?3, ?4))",
        .string("its repair would cause \(found.code.text) of \(found.place)"),
        .integer(Int64(object.table)), .integer(object.key), .integer(StoredObject.allKeys))
    }
    return count
  }

  /// Finds the warnings and errors whose number has increased.
  private func findFresh() throws(CofferError) {
    try run("DELETE FROM fresh")
    for (number, place) in places.enumerated() where place.code.severity > .info {
      try run(
        "INSERT INTO fresh (place, key, more) SELECT place, key, count(*) - (SELECT count(*) "
          + "FROM found AS o WHERE o.side = 0 AND \(Self.isSameKind)) AS more FROM found AS f "
          + "WHERE side = 1 AND place = ? AND NOT EXISTS (SELECT 1 FROM wanted AS o WHERE "
          + "\(Self.isSameKind) AND o.state = 0) GROUP BY place, key HAVING more > 0",
        .integer(Int64(number)))
    }
  }

  /// The errors that the store did not have, a limited number of each code.
  func newErrors() throws -> FindingCollector {
    var collector = FindingCollector()
    try forEachRow("SELECT n, place, key, more FROM fresh WHERE n > ? ORDER BY n") { row in
      guard place(row[1]).code.severity == .error else { return }
      // Findings with new details come first.
      let rows = try connection.use { database throws(CofferError) in
        try database.rows(
          "SELECT place, key, detail FROM found AS f WHERE side = 1 AND place = ? AND key IS ? "
            + "ORDER BY EXISTS (SELECT 1 FROM found AS o WHERE o.side = 0 AND \(Self.isSameKind) "
            + "AND o.detail = f.detail), n LIMIT ?", Array(row[1...]))
      }
      for row in rows { collector.add(finding(row[...])) }
    }
    return collector
  }

  // MARK: The result

  var hasRepairs: Bool {
    get throws(CofferError) {
      try connection.use { _ throws(CofferError) in
        try statements.row("SELECT 1 FROM wanted WHERE state = \(State.repaired.rawValue) LIMIT 1")
          != nil
      }
    }
  }

  /// Passes on the repairs in order, then the remaining findings.
  ///
  /// That cannot be canceled any more: the store may have been replaced.
  func forEachOutcome(_ body: (RepairOutcome) throws -> Void) throws {
    isCancelable = false
    connection.use { $0.ignoreCancellation() }
    for turn in try turns() {
      try forEachRow(
        "SELECT n, place, key, detail, text FROM wanted WHERE n > ? AND turn = ? AND state = "
          + "\(State.repaired.rawValue) ORDER BY n", [.integer(turn)]
      ) { row in
        try body(.repaired(Repair(finding: finding(row[1...3]), change: row[4].string ?? "")))
      }
    }
    try forEachRow(
      "SELECT n, place, key, detail, text FROM wanted AS f WHERE n > ? AND state IN "
        + "(\(State.refused.rawValue), \(State.abandoned.rawValue)) AND EXISTS "
        + "(SELECT 1 FROM found AS o WHERE o.side = 1 AND \(Self.isSameKind)) ORDER BY n"
    ) { row in
      try body(.stays(UnrepairedFinding(finding: finding(row[1...3]), reason: row[4].string ?? "")))
    }
  }

  func forEachRecord(
    _ name: (StoredObject) -> Name, _ body: (RecordedRepair) throws -> Void
  ) throws {
    for turn in try turns() {
      try forEachRow(
        "SELECT n, place, key, detail, text FROM wanted WHERE n > ? AND turn = ? AND state = "
          + "\(State.repaired.rawValue) ORDER BY n", [.integer(turn)]
      ) { row in
        var record = RecordedRepair(finding(row[1...3]), change: row[4].string ?? "")
        let causes = try connection.use { _ throws(CofferError) in
          try statements.rows(
            "SELECT t, k FROM cause WHERE n = ? ORDER BY t, k LIMIT \(RecordedRepair.maxKeys)",
            row[0])
        }
        for cause in causes {
          guard let table = cause[0].integer, let key = cause[1].integer else { continue }
          record.keys[name(StoredObject(table: Int(table), key: key)), default: []].append(key)
        }
        try body(record)
      }
    }
  }

  private func turns() throws(CofferError) -> [Int64] {
    try connection.use { _ throws(CofferError) in
      try statements.integers("SELECT DISTINCT turn FROM wanted ORDER BY turn")
    }
  }
}

extension StoredObject {
  fileprivate static let allKeys = Int64.min

  static func all(of table: Int) -> StoredObject { StoredObject(table: table, key: allKeys) }
}
