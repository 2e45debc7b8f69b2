internal import CofferComparison
internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// One merge, into the private copy of a store.
///
/// Applies the other store's changes since the base to the copy, property by property; without a
/// base, adds what only the other store has. References wait until all new objects have keys,
/// positions until all references are set, and deletions until everything else is done.
final class MergeRun {
  let store: MergeSide
  let other: MergeSide
  let base: MergeSide?
  /// The base and the other store, without rows that are known to be the same in both; nil without a base.
  private(set) var compared: (base: StoreRowSource, other: StoreRowSource)?
  /// The external files that the other store changed and did not rename.
  private var changedFiles: Set<Name> = []
  let editor: ObjectEditor
  let identity: MergeIdentity
  /// The rule that settles conflicts.
  let policy: MergePolicy
  /// Whether values of tables replace the store's without a conflict.
  private let isUpdate: Bool
  let files: MergeFiles
  let values: MergeValues
  private let progress: RowProgress
  /// The objects of the other store to merge; nil for everything.
  var selection: MergeSelection?
  /// The conflicts, settled or not.
  private(set) var conflicts = MergeConflicts()
  /// The conflicts that the policy does not settle.
  private(set) var open = MergeConflicts()
  var texts: (store: ConflictTexts, other: ConflictTexts, base: ConflictTexts?)
  /// The names of tables that the model does not explain, and in which the other store has rows that the merge leaves
  /// out.
  private(set) var tablesLeftOut: [String] = []
  /// Whether another policy would settle one of them.
  private var isDecidable = false
  /// The required properties of new objects of tables that were looked up, by entity number.
  var requiredProperties: [Int64: [(column: Int, name: Name)]] = [:]
  /// The number of objects that delete rules deleted, without those that the other store deleted.
  var consequenceCount = 0

  /// The reason for a waiting reference.
  enum Link: Int64 {
    /// The other store set it.
    case changed
    /// The other store has it, and the policy prefers all values of the object.
    case overwritten
    /// The base has it, and the store lost it with an object that comes back.
    case restored
  }

  /// Waiting references: table, key, reference, the key in the other store, and the reason.
  static let links = "temp.coffer_links"
  /// Waiting pairs: number of the relationship, and both keys in the other store.
  static let pairs = "temp.coffer_pairs"
  /// Waiting unique values: table, key, column, value, the key in the other store.
  static let waiting = "temp.coffer_waiting"
  /// Objects that the other store deleted.
  static let gone = "temp.coffer_gone"
  /// Objects that the store deleted, and that come back because the other one uses them.
  static let returned = "temp.coffer_returned"
  /// Objects that one store deleted, and that stay deleted although the other one uses them.
  static let overruled = "temp.coffer_overruled"
  /// Objects that the other store deleted, and that stay because the store uses them.
  static let kept = "temp.coffer_staying"
  /// Owners of ordered relationships, by their keys in the other store.
  static let lists = "temp.coffer_lists"

  init(
    _ store: MergeSide, _ other: MergeSide, base: MergeSide?, _ editor: ObjectEditor,
    _ identity: MergeIdentity, _ files: MergeFiles, _ options: MergeOptions,
    in database: SQLiteDatabase, progress: any ProgressReporter
  ) throws(CofferError) {
    self.store = store
    self.other = other
    self.base = base
    self.editor = editor
    self.identity = identity
    self.files = files
    isUpdate = other.stated != nil && options.policy == nil
    policy = options.policy ?? (isUpdate ? .mergeByPropertyObjectTrump : .error)
    values = MergeValues(store, other, base, editor)
    texts = (ConflictTexts(store), ConflictTexts(other), base.map { ConflictTexts($0) })
    self.progress = RowProgress(progress, objectTotal: other.source.estimatedObjectCount)
    for sql in [
      "CREATE TABLE \(Self.links) (t INTEGER, k INTEGER, r INTEGER, d INTEGER, n INTEGER, "
        + "UNIQUE (t, k, r))",
      "CREATE TABLE \(Self.pairs) (p INTEGER, s INTEGER, d INTEGER, UNIQUE (p, s, d))",
      "CREATE TABLE \(Self.returned) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
      "CREATE TABLE \(Self.overruled) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
      "CREATE TABLE \(Self.kept) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
      "CREATE TABLE \(Self.waiting) (t INTEGER, k INTEGER, c INTEGER, v, o INTEGER)",
      "CREATE TABLE \(Self.gone) (t INTEGER, k INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID",
      "CREATE TABLE \(Self.lists) (r INTEGER, o INTEGER, PRIMARY KEY (r, o)) WITHOUT ROWID",
    ] { try database.run(sql) }
  }

  /// Merges everything.
  ///
  /// If the policy does not settle a conflict, the store's values are kept.
  func complete() throws {
    var options = ComparisonOptions()
    options.matchesByObjectID = true
    let comparison = ComparisonRun(options: options, progress: SilentProgress())
    if let base {
      compared =
        try comparison.differing(base.source, other.source) ?? (base.source, other.source)
      changedFiles = try files.changed(since: base)
    }
    if selection == nil, other.tables == nil {
      tablesLeftOut =
        try comparison.unknownTables(
          compared?.base ?? store.source, compared?.other ?? other.source
        )
        .filter { base != nil || $0.added + $0.changed > 0 }.map(\.tableName)
    }
    for table in editor.schema.tables.indices { try mergeObjects(table) }
    for pairs in editor.schema.pairs.indices { try mergePairs(pairs) }
    try settleUses()
    try setReferences()
    try insertPairs()
    // Objects that are not selected count as unchanged, and deleted ones cannot be selected.
    if selection == nil { try mergeDeletions() }
    try mergeOrder()
    try mergeWaitingValues()
    progress.finishPhase()
  }

  /// Refuses conflicts that the policy does not settle.
  func requireSettled() throws(CofferError) {
    guard open.count > 0 else { return }
    let advice: CofferError.Advice =
      isDecidable
      ? .choosePolicy
      : """
      Nothing was written. No policy settles this: change one of the stores, or the keys of their \
      objects.
      """
    throw CofferError(
      .mergeConflicts, path: store.store.path,
      detail: open.count == 1
        ? "1 conflict with \(other.store.path)"
        : "\(open.count) conflicts with \(other.store.path)", advice: advice, evidence: open)
  }

  /// Notes a conflict.
  ///
  /// Without a property, the object itself is meant. The values are asked only if the conflict is listed.
  func note(
    _ kind: MergeConflict.Kind, _ object: StoredObject, on side: MergeSide,
    _ property: Name? = nil, isSettled: Bool = true,
    values: () throws -> MergeConflict.Values? = { nil }
  ) throws {
    if isUpdate && isSettled { return }
    var conflict = MergeConflict(kind: kind, objectID: try side.id(object), propertyName: property)
    if conflicts.hasRoom {
      conflict.title =
        try side === other ? texts.other.title(of: object) : texts.store.title(of: object)
      conflict.values = try values()
    }
    conflicts.add(conflict)
    guard !isSettled || policy == .error else { return }
    open.add(conflict)
    if isSettled { isDecidable = true }
  }

  func isSelected(_ object: StoredObject) throws(CofferError) -> Bool {
    try selection?.contains(object) ?? true
  }

  // MARK: Objects

  private func mergeObjects(_ table: Int) throws {
    let shape = other.shape(table)
    let handler = MergeObjects(self, table)
    try progress.reportRows(of: shape) { step in
      guard let base, let compared else {
        let rows = try other.source.rows(of: shape)
        var count = 0
        while try rows.next() {
          count += 1
          if count & 0xfff == 0 { try step(count) }
          try handler.add(rows)
        }
        return try step(count)
      }
      let old = base.shape(table)
      let comparison = RowComparison(
        TableMatching.Match(first: old, second: shape), base.source, other.source)
      var merge = try TableMerge(
        (compared.base.rows(of: old), KeyRule(old, schema: base.source.schema)),
        (compared.other.rows(of: shape), KeyRule(shape, schema: other.source.schema)), comparison)
      var receiver = handler
      try merge.run(&receiver, step: step)
      let columns = editor.externalColumns[table]
      try other.forEachUser(of: changedFiles, table, columns) { row, object in
        // The others were merged already.
        guard let before = try base.row(object), try comparison.isSame(before, row) else { return }
        try handler.compare(before, row)
      }
    }
  }

  // MARK: References and pairs

  /// Sets a reference of an object in the copy to an object of the other store, once all objects are
  /// inserted.
  func link(
    _ reference: Int, of object: StoredObject, to destination: Int64?, _ link: Link
  ) throws(CofferError) {
    try editor.statements.run(
      "INSERT OR REPLACE INTO \(Self.links) VALUES (?, ?, ?, ?, ?)",
      .integer(Int64(object.table)), .integer(object.key), .integer(Int64(reference)),
      destination.map { .integer($0) } ?? .null, .integer(link.rawValue))
  }

  private func setReferences() throws {
    var unset: [Unset] = []
    try editor.statements.forEachRow(
      "SELECT t, k, r, d, n FROM \(Self.links) WHERE (t, k, r) > (?1, ?2, ?3) ORDER BY t, k, r",
      keys: 3
    ) { row in
      guard let table = row[0].integer, let key = row[1].integer, let index = row[2].integer,
        let link = row[4].integer.flatMap({ Link(rawValue: $0) })
      else { return }
      let object = StoredObject(table: Int(table), key: key)
      let reference = editor.schema.references[Int(index)]
      let present = try row[3].integer.flatMap {
        try identity.present(StoredObject(table: reference.destinationTable, key: $0))
      }
      guard try editor.entityNumber(of: object) != nil else { return }
      switch link {
      case .changed:
        // References to an object that stays deleted are kept.
        guard present != nil || row[3].integer == nil else { return }
      case .overwritten: break
      case .restored:
        guard let present, try isFree(present, for: reference) else { return }
      }
      if policy.prefersOther {
        unset += try partnersLost(by: object, in: Int(index), to: present)
      }
      try editor.set(Int(index), of: object, to: present?.key)
    }
    for reference in unset { try restore(reference) }
  }

  // MARK: Unique values

  /// Sets a value; a duplicate of a unique value waits, because another object may give it up.
  func set(
    _ value: SQLiteValue, column: Int, of object: StoredObject, from key: Int64?
  ) throws(CofferError) {
    do throws(CofferError) {
      try editor.set(value, column: column, of: object)
    } catch {
      guard error.isConstraintViolation else { throw error }
      try editor.set(.null, column: column, of: object)
      try editor.statements.run(
        "INSERT INTO \(Self.waiting) VALUES (?, ?, ?, ?, ?)", .integer(Int64(object.table)),
        .integer(object.key), .integer(Int64(column)), value, key.map { .integer($0) } ?? .null)
    }
  }

  private func mergeWaitingValues() throws {
    try editor.statements.forEachRow(
      "SELECT rowid, t, k, c, v, o FROM \(Self.waiting) WHERE rowid > ?1 ORDER BY rowid", keys: 1
    ) { row in
      guard let table = row[1].integer, let key = row[2].integer, let column = row[3].integer else {
        return
      }
      let object = StoredObject(table: Int(table), key: key)
      guard try editor.entityNumber(of: object) != nil else { return }
      do {
        try editor.set(row[4], column: Int(column), of: object)
      } catch let error as CofferError where error.isConstraintViolation {
        let theirs = row[5].integer.map { StoredObject(table: object.table, key: $0) }
        let ours = try store.lookup.contains(object) ? object : nil
        try noteValues(
          Int(column), of: theirs ?? object, ours, as: .uniqueness, isSettled: false
        ) { try holder(of: row[4], Int(column), besides: object) }
      }
    }
  }
}
