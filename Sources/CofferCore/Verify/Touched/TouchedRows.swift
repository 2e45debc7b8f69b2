internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Finds the rows that have to be verified in two states of a store to tell which findings only the later one has.
///
/// These are the rows that differ, and the rows whose findings can depend on them: rows that lead to the same
/// object, rows that lead to an object that only one state has or that has another entity, and rows with the same
/// unique values. All other rows have the same findings in both states. An index may lack entries, so these rows are
/// found by reading columns of whole tables: only of tables that can have such rows.
struct TouchedRows {
  /// The maximum number of keys that other rows are searched for; with more, all rows are verified.
  private static let maxSought = 200_000
  /// The number of other rows that are always verified one by one.
  private static let fewRows = 20_000
  /// The fraction of all objects above which verifying all rows takes less time.
  private static let largestPart = 4

  private let old: PersistentStore
  private let new: PersistentStore
  private let rows: ChangedRows
  private let tables: StoreTables
  private let context: VerificationContext
  private let links: [RowLink]
  private let tuples: [Int: [UniqueTuple]]
  /// By link: the keys whose rows are sought.
  private var sought: [Set<Int64>]
  /// By table: the unique values whose rows are sought, for each of its constraints.
  private var soughtValues: [Int: [Set<UniqueTuple.Hash>]]
  /// By table: the objects that only one state has, or that have another entity.
  private var strangers: [Int: Set<Int64>] = [:]
  /// How often a row was added to the changed ones.
  private var addedCount = 0

  /// Finds the rows that have to be verified.
  ///
  /// - Parameters:
  ///   - old: the earlier state of the store.
  ///   - new: the later state, whose findings are reported.
  /// - Returns: the rows, which may be in one state only; nil for all.
  /// - Throws: ``CofferError`` as the stores cannot be read; `CancellationError`.
  static func between(
    _ old: PersistentStore, _ new: PersistentStore
  ) throws -> ChangedRows? {
    guard old.model.source != .inferred, old.model == new.model, old.modelProblem == nil,
      new.modelProblem == nil
    else { return nil }
    let (before, after) = (Self.tables(of: old), Self.tables(of: new))
    guard before.entities == after.entities,
      before.sources.map(\.shape) == after.sources.map(\.shape),
      let rows = try ChangedRows.between(old, new),
      var touched = TouchedRows(old, new, rows, after), try touched.complete()
    else { return nil }
    try rows.finish()
    return rows
  }

  private static func tables(of store: PersistentStore) -> StoreTables {
    StoreTables(store, blobLimit: StoreVerification.blobLimit)
  }

  private init?(
    _ old: PersistentStore, _ new: PersistentStore, _ rows: ChangedRows, _ tables: StoreTables
  ) {
    (self.old, self.new, self.rows, self.tables) = (old, new, rows, tables)
    let subject = VerificationSubject(
      place: new.path, model: new.model, modelProblem: nil, givenModel: nil,
      layout: LayoutDocument(entities: tables.entities, tables: tables.sources.map(\.shape)),
      schema: SchemaDocument(new), store: new)
    let options = VerificationOptions()
    context = VerificationContext(subject, options, FindingFilter(options) { _ in })
    links = RowLink.all(context)
    context.releaseChecks()
    sought = links.map { _ in [] }
    var tuples: [Int: [UniqueTuple]] = [:]
    for entity in new.model.entities {
      guard let table = context.table(ofEntity: entity.name) else { continue }
      for names in entity.uniquenessConstraints {
        guard let tuple = UniqueTuple(names, of: entity.name, in: table, new.model) else {
          return nil
        }
        tuples[table.index, default: []].append(tuple)
      }
    }
    self.tuples = tuples
    soughtValues = tuples.mapValues { $0.map { _ in [] } }
    guard canRead else { return nil }
  }

  /// Whether rows can be read by their numbers, and no check reads other tables for them.
  private var canRead: Bool {
    let hasSpatial = new.model.entities.contains { entity in
      entity.attributes.contains { $0.userInfo[AttributeDescription.spatialKey] != nil }
    }
    return !hasSpatial
      && context.tables.allSatisfy { table in
        switch table.shape.kind {
        case .entity: canLimit(table, keyColumn: table.primaryKeyColumn)
        case .relationship, .history: canLimit(table)
        default: true
        }
      }
  }

  /// Whether the rows of a table have the numbers that pages show, and a column has them.
  private func canLimit(_ table: VerifiedTable, keyColumn: Int?) -> Bool {
    guard let keyColumn, let alias = new.catalog.table(table.shape.storedName)?.rowIDAlias else {
      return false
    }
    return canLimit(table)
      && SchemaName(alias) == SchemaName(table.shape.fields[keyColumn].storedName)
  }

  private func canLimit(_ table: VerifiedTable) -> Bool {
    let name = table.shape.storedName
    guard let schema = new.catalog.table(name), schema.name.hasSameBytes(as: name) else {
      return false
    }
    return !table.shape.isInternal && !schema.isWithoutRowID
  }

  /// Adds the rows that depend on the changed ones; false if all have to be verified.
  private mutating func complete() throws -> Bool {
    let folders = try [old, new].map { try SupportFolder(of: StorePaths(store: $0.path)) }
    guard folders[0].files == folders[1].files, folders[0].irregular == folders[1].irregular else {
      return false
    }
    return try old.use { before in
      try new.use { after in
        let sources = try (
          StoreRowSource(old, before, tables, checksOrder: false).limited(to: rows),
          StoreRowSource(new, after, tables, checksOrder: false).limited(to: rows)
        )
        for table in context.tables {
          guard try takeRows(of: table, sources.0, sources.1) else { return false }
        }
        return try addDependents(after)
      }
    }
  }

  // MARK: Changed rows

  private mutating func takeRows(
    of table: VerifiedTable, _ before: StoreRowSource, _ after: StoreRowSource
  ) throws -> Bool {
    let plan = RowsPlan(table, links, tuples[table.index] ?? [])
    let cursors = try [before, after].map {
      try $0.rows(of: table.shape, into: Row(columnCount: table.shape.fields.count))
    }
    switch table.shape.kind {
    case .entity: return try takeObjects(of: table, plan, cursors[0], cursors[1])
    case .relationship:
      let counts = try cursors.map { cursor in try takePairs(plan, cursor) }
      return isComplete(table, counts[0], counts[1])
    case .history:
      guard let columns = ChangeColumns(table.shape) else { return true }
      for cursor in cursors {
        while try cursor.next() {
          guard let entity = cursor.row.integer(columns.entity).map(context.entities.index(of:)),
            let object = cursor.row.integer(columns.object),
            let place = context.entities.name(entity).flatMap(context.table(ofEntity:))
          else { continue }
          rows.add(place.shape.storedName, object)
        }
      }
      return true
    default: return true
    }
  }

  /// Whether a search found all rows that the pages have: in a damaged tree, it may not.
  private func isComplete(_ table: VerifiedTable, _ before: Int, _ after: Int) -> Bool {
    rows.count(of: table.shape.storedName) == (before, after)
  }

  private mutating func takeObjects(
    of table: VerifiedTable, _ plan: RowsPlan, _ before: StoreRows, _ after: StoreRows
  ) throws -> Bool {
    guard let keyColumn = table.primaryKeyColumn else { return false }
    var (isBefore, isAfter) = (try before.next(), try after.next())
    var counts = (0, 0)
    while isBefore || isAfter {
      let (first, second) = (
        isBefore ? before.row.integer(keyColumn) : nil,
        isAfter ? after.row.integer(keyColumn) : nil
      )
      let key = min(first ?? .max, second ?? .max)
      let (old, new) = (first == key ? before.row : nil, second == key ? after.row : nil)
      guard take(key, of: table, plan, old, new), isAffordable else { return false }
      if old != nil { (counts.0, isBefore) = (counts.0 + 1, try before.next()) }
      if new != nil { (counts.1, isAfter) = (counts.1 + 1, try after.next()) }
    }
    return isComplete(table, counts.0, counts.1)
  }

  /// Takes the two states of an object that may differ; false if all rows have to be verified.
  private mutating func take(
    _ key: Int64, of table: VerifiedTable, _ plan: RowsPlan, _ old: Row?, _ new: Row?
  ) -> Bool {
    let states = [old, new].compactMap(\.self)
    func differs(_ column: Int?) -> Bool {
      guard let column, let old, let new else { return column != nil }
      return old.value(column) != new.value(column)
    }
    let isStranger = old == nil || new == nil || differs(table.entityColumn)
    if isStranger { strangers[table.index, default: []].insert(key) }
    // Any row may use the same file.
    for column in plan.externalColumns where isStranger || differs(column) {
      if states.contains(where: { $0.storageClass(column) == .blob && $0.firstByte(column) == 2 }) {
        return false
      }
    }
    for index in plan.leaving {
      let link = links[index]
      let keys = states.compactMap { $0.integer(link.place.column) }
      if link.isShared, isStranger || differs(link.place.column) || differs(link.orderColumn) {
        sought[index].formUnion(keys)
      }
      if link.isMutual { add(keys, of: link) }
    }
    for index in plan.arriving { sought[index].insert(key) }
    for (index, tuple) in plan.tuples.enumerated() {
      let hashes = states.map { tuple.hash(of: $0) }
      if hashes.contains(.unread) { return false }
      guard isStranger || Set(hashes).count > 1 else { continue }
      soughtValues[table.index]?[index].formUnion(hashes.filter { $0 != .incomplete })
    }
    return true
  }

  /// Takes the pairs that may differ of one state; returns their number.
  private mutating func takePairs(_ plan: RowsPlan, _ cursor: StoreRows) throws -> Int {
    var count = 0
    while try cursor.next() {
      count += 1
      for index in plan.leaving {
        guard let key = cursor.row.integer(links[index].place.column) else { continue }
        if links[index].isShared { sought[index].insert(key) }
        if links[index].isMutual { add([key], of: links[index]) }
      }
    }
    return count
  }

  /// Whether verifying all rows would not take less time.
  private var isAffordable: Bool {
    let soughtCount =
      sought.reduce(0) { $0 + $1.count } + strangers.values.reduce(0) { $0 + $1.count }
    let most = max(Self.fewRows, new.estimatedObjectCount / Self.largestPart)
    return soughtCount <= Self.maxSought && addedCount <= most
  }

  private mutating func add(_ keys: some Collection<Int64>, of link: RowLink) {
    let name = context.tables[link.destination].shape.storedName
    for key in keys { rows.add(name, key) }
    addedCount += keys.count
  }

  // MARK: Other rows

  /// Adds the rows that lead to the sought objects or have the sought values, and these objects.
  private mutating func addDependents(_ database: SQLiteDatabase) throws -> Bool {
    seekInBothColumns()
    for (index, link) in links.enumerated() {
      sought[index].formUnion(strangers[link.destination] ?? [])
      add(sought[index], of: link)
    }
    guard isAffordable else { return false }
    for table in context.tables {
      let leading = links.indices.filter {
        links[$0].place.table == table.index && !sought[$0].isEmpty
      }
      let values = zip(tuples[table.index] ?? [], soughtValues[table.index] ?? [])
        .filter { !$1.isEmpty }
      if !leading.isEmpty || !values.isEmpty {
        try search(table, leading, values, tables.sources[table.index].plan, database)
        guard isAffordable else { return false }
      }
    }
    return true
  }

  /// Seeks an object in both columns of its pairs: of a relationship that is its own inverse, it has pairs in each.
  private mutating func seekInBothColumns() {
    for (index, link) in links.enumerated()
    where context.tables[link.place.table].shape.kind == .relationship {
      for (other, opposite) in links.enumerated()
      where opposite.place.table == link.place.table && opposite.destination == link.destination {
        sought[index].formUnion(sought[other])
      }
    }
  }

  private mutating func search(
    _ table: VerifiedTable, _ leading: [Int], _ values: [(UniqueTuple, Set<UniqueTuple.Hash>)],
    _ plan: RowPlan, _ database: SQLiteDatabase
  ) throws {
    let columns = leading.map { links[$0].place.column } + values.flatMap { $0.0.columns }
    let names = columns.map { quotedIdentifier(plan.columns[$0]) }
    let number = RowPlan.hiddenRowNumber(besides: plan.columns)
    let statement = try database.prepare(
      "SELECT \(names.joined(separator: ", ")), \(number) FROM \(quotedIdentifier(plan.table)) "
        + "NOT INDEXED")
    var position = leading.count
    let values = values.map { tuple, hashes in
      defer { position += tuple.columns.count }
      return (tuple: tuple.moved(to: Array(position..<position + tuple.columns.count)), hashes)
    }
    let row = Row(columnCount: columns.count)
    var count = 0
    while try statement.step() {
      count += 1
      if count & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      var isFound = leading.indices.contains { index in
        statement.integer(Int32(clamping: index)).map(sought[leading[index]].contains) ?? false
      }
      if !isFound, !values.isEmpty {
        row.read(columns.count, from: statement)
        isFound = values.contains { $0.1.contains($0.tuple.hash(of: row)) }
      }
      if isFound {
        rows.add(table.shape.storedName, statement.int64(Int32(clamping: columns.count)))
        addedCount += 1
      }
    }
  }
}

/// The relevant links of a table's rows, by the indices of links.
private struct RowsPlan {
  let leaving: [Int]
  /// The links to the rows whose findings depend on them.
  let arriving: [Int]
  let tuples: [UniqueTuple]
  /// The columns with values that may be in files.
  let externalColumns: [Int]

  init(_ table: VerifiedTable, _ links: [RowLink], _ tuples: [UniqueTuple]) {
    leaving = links.indices.filter { links[$0].place.table == table.index }
    arriving = links.indices.filter { links[$0].destination == table.index && links[$0].isMutual }
    self.tuples = tuples
    externalColumns = table.shape.fields.indices.filter { ExternalColumn(table, $0) != nil }
  }
}
