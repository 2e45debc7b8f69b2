internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Compares two open sources completely.
final class TableComparison<First: RowSource, Second: RowSource> {
  let first: First
  let second: Second
  private let options: ComparisonOptions
  private let progress: any ProgressReporter
  private let rows: RowProgress
  private let onDifference: (Difference) throws -> Void

  private let isSameStore: Bool
  private let selection: EntitySelection?
  private let matching: MatchingPlan
  private var objects = MatchedObjects.byKey()
  /// How the objects of each entity are matched; nil as long as they are not.
  private var matched: [EntityMatching]?
  private let contents: ExternalContents
  private var summary: ComparisonSummary
  /// Whether both are archives with the same content digest and documents.
  private let hasSameContent: Bool
  private var entityCounts: [Name: ComparisonSummary.Counts] = [:]

  /// Plans a comparison.
  ///
  /// Without known rules for matching objects, they are chosen.
  init(
    _ first: First, _ second: Second, options: ComparisonOptions,
    progress: any ProgressReporter, matching known: MatchingPlan? = nil,
    onDifference: @escaping (Difference) throws -> Void
  ) throws {
    self.first = first
    self.second = second
    self.options = options
    self.progress = progress
    rows = RowProgress(
      progress, objectTotal: max(first.estimatedObjectCount, second.estimatedObjectCount))
    self.onDifference = onDifference
    summary = ComparisonSummary(firstKind: first.kind, secondKind: second.kind)
    contents = ExternalContents(first, second)
    // Two archives with the same content are not read.
    hasSameContent = first.fingerprint != nil && first.fingerprint == second.fingerprint
    isSameStore = try hasSameContent || first.metadata().uuid == second.metadata().uuid
    selection =
      options.entityNames.isEmpty
      ? nil
      : try EntitySelection(
        options.entityNames,
        of: [(first.model, first.entities), (second.model, second.entities)], path: second.path)
    matching =
      try known
      ?? MatchingPlan(
        first, second, naturalKeys: options.naturalKeys, isSameStore: isSameStore,
        usesConstraints: !options.matchesByObjectID)
  }

  /// The same comparison without the rows that two states of one store have in common; nil if all rows are
  /// needed.
  ///
  /// An object whose row is the same in both states has the same key in both. It matches itself: no other
  /// object has its key, or else its primary key identifies it. The other objects match each other as if no
  /// row was left out, unless a common row has the same key as two of them. These two would match by that
  /// key, with different primary keys. So all rows are compared if primary keys of matching objects differ.
  /// Then references in common rows can also lead to different objects.
  func withoutCommonRows(
    _ run: ComparisonRun
  ) throws -> TableComparison<StoreRowSource, StoreRowSource>? {
    guard matching.isDecidedByRows, let (one, other) = try run.differing(first, second) else {
      return nil
    }
    let differing = try TableComparison<StoreRowSource, StoreRowSource>(
      one, other, options: options, progress: progress, matching: matching,
      onDifference: onDifference)
    _ = try differing.matchObjects()
    return differing.objects.isByKey ? differing : nil
  }

  func complete() throws -> ComparisonSummary {
    (summary.firstContentDigest, summary.secondContentDigest) = (
      first.fingerprint?.content.hex, second.fingerprint?.content.hex
    )
    if selection == nil, hasSameContent {
      for shape in first.shapes where shape.kind == .entity { countEqual(shape) }
      return summary
    }
    if selection == nil { try compareFacts() }
    let found = try matched ?? matchObjects()
    summary.matching = found.filter { selection?.contains($0.entityName) ?? true }
    summary.matchesKeysOfDifferentStores =
      !isSameStore && !options.matchesByObjectID
      && summary.matching.contains { $0.rule == .objectID }
    for match in TableMatching(first, second).matches
    where !options.isLimitedToObjects || match.shapes.contains(where: { $0.kind == .entity }) {
      if let selection {
        try match.limited(to: selection, first, second).map { try compare($0) }
      } else if match.shapes.first?.kind != .history
        || !options.ignoredAspects.contains(.history)
      {
        try compare(match)
      }
    }
    rows.finishPhase()
    if !options.isLimitedToObjects, selection == nil, !haveSameFiles { try compareFiles() }
    summary.entities = entityCounts.sorted { $0.key < $1.key }
      .map { .init(entityName: $0.key, counts: $0.value) }
    summary.tables.sort { codeUnitsAscend($0.tableName, $1.tableName) }
    return summary
  }

  /// Compares only the tables that the model does not explain.
  func compareUnknownTables() throws -> [RowDifferences] {
    for match in TableMatching(first, second).matches
    where match.shapes.allSatisfy({ $0.kind == .unknown }) { try compare(match) }
    return summary.tables
  }

  private func matchObjects() throws -> [EntityMatching] {
    let matcher = ObjectMatcher(
      first, second, matching, temporaryFolder: options.environment.temporaryFolder)
    var read = 0
    let found = try matcher.match { [progress] count in
      read = count
      progress.report(WorkProgress(.matching, completed: count))
      try Task<Never, Never>.checkCancellation()
    }
    if read > 0 { progress.report(WorkProgress(.matching, completed: read, total: read)) }
    (objects, matched) = (found.objects, found.entities)
    return found.entities
  }

  private func compareFacts() throws {
    var facts = StoreFactComparison(first, second, options)
    try facts.run()
    for difference in facts.differences {
      summary.store.add(difference.kind)
      try onDifference(.store(difference))
    }
  }

  private func compare(_ match: TableMatching.Match) throws {
    guard let shape = match.first ?? match.second else { return }
    if isSameByDigests(match) {
      if shape.kind == .entity { countEqual(shape) }
      return
    }
    switch shape.kind {
    case .entity: try compareObjects(match, shape)
    case .relationship: try comparePairs(match, shape)
    default: try compareRows(match, shape)
    }
  }

  /// Counts the objects of a table that are the same on both sides.
  private func countEqual(_ shape: TableLayout) {
    let count = first.estimatedRowCount(of: shape) ?? 0
    summary.firstObjectCount += count
    summary.secondObjectCount += count
    rows.end(count, of: shape)
  }

  /// Whether both are in archives with equal digests, so that nothing must be read.
  private func isSameByDigests(_ match: TableMatching.Match) -> Bool {
    guard match.isWhole, let left = match.first, let right = match.second, left == right,
      objects.isByKey, let digests = first.digests(of: left)
    else { return false }
    return digests == second.digests(of: right)
  }

  /// The key rules of both sides; ``KeyRule/none`` if they do not agree.
  private func rules(_ match: TableMatching.Match) -> (first: KeyRule, second: KeyRule) {
    let left = match.first.map { KeyRule($0, schema: first.schema) }
    let right = match.second.map { KeyRule($0, schema: second.schema) }
    guard let left, let right else { return (left ?? .none, right ?? .none) }
    return left.orders(as: right, isSwapped: match.isSwapped) ? (left, right) : (.none, .none)
  }

  private func merge(
    _ match: TableMatching.Match, _ shape: TableLayout, _ compared: RowComparison,
    _ rules: (first: KeyRule, second: KeyRule), _ handler: inout some RowHandler
  ) throws -> (first: Int, second: Int) {
    guard match.isWhole else {
      // Sides that take part as a whole are not filtered.
      let filters = (match.firstEntities ?? .allBut([]), match.secondEntities ?? .allBut([]))
      return try run(
        TableMerge(
          (try match.first.map { try first.rows(of: $0, filters.0) }, rules.first),
          (try match.second.map { try second.rows(of: $0, filters.1) }, rules.second), compared),
        shape, &handler)
    }
    return try run(
      TableMerge(
        (try match.first.map { try first.rows(of: $0) }, rules.first),
        (try match.second.map { try second.rows(of: $0) }, rules.second), compared),
      shape, &handler)
  }

  private func run(
    _ merge: consuming TableMerge<some RowCursor, some RowCursor>, _ shape: TableLayout,
    _ handler: inout some RowHandler
  ) throws -> (first: Int, second: Int) {
    var merge = merge
    try rows.reportRows(of: shape) { try merge.run(&handler, step: $0) }
    return merge.counts
  }

  // MARK: Objects

  private func compareObjects(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let compared = comparison(of: match)
    var removed = 0
    var handler = ObjectHandler(
      rows: compared, options: options, paths: (first.path, second.path)
    ) { [self] difference in
      if difference.kind == .removed { removed += 1 }
      let name = difference.objectID.entityName
      entityCounts[name, default: .init()].add(difference.kind)
      try onDifference(.object(difference))
    }
    var counts =
      try mergeCounterparts(match, shape, compared, &handler)
      ?? merge(match, shape, compared, rules(match), &handler)
    if let left = match.first, let found = try (first as? StoreRowSource)?.limitedRowCount(of: left)
    {
      // The rows that were left out.
      rows.end(found - counts.first, of: shape)
      counts.first = found
    }
    if let right = match.second,
      let found = try (second as? StoreRowSource)?.limitedRowCount(of: right)
    {
      counts.second = found
    }
    summary.firstObjectCount += counts.first
    summary.secondObjectCount += counts.second
    if let other = match.second, match.first != nil, shape.hasSameRoot(as: other),
      let name = shape.entityName
    {
      summary.rootCounts.append(
        .init(name: name, first: counts.first, second: counts.second, removed: removed))
    }
  }

  /// Compares objects with numbers; nil where the tables have none.
  private func mergeCounterparts(
    _ match: TableMatching.Match, _ shape: TableLayout, _ compared: RowComparison,
    _ handler: inout some RowHandler
  ) throws -> (first: Int, second: Int)? {
    guard let left = match.first, let right = match.second,
      let table = first.shapes.firstIndex(of: left),
      let other = second.shapes.firstIndex(of: right),
      objects.hasNumbers(table, on: .first), objects.hasNumbers(other, on: .second),
      let keyColumn = compared.first.keyColumn, let otherColumn = compared.second.keyColumn
    else { return nil }
    func run(
      _ cursor: some RowCursor, _ others: some RowCursor, _ handler: inout some RowHandler
    ) throws -> (first: Int, second: Int) {
      var merge = CounterpartMerge(
        .init(rows: cursor, table: table, keyColumn: keyColumn),
        .init(rows: others, table: other, keyColumn: otherColumn), objects, compared,
        columnCount: right.fields.count, temporaryFolder: options.environment.temporaryFolder)
      try self.rows.reportRows(of: shape) { try merge.run(&handler, step: $0) }
      return merge.counts
    }
    if match.isWhole {
      return try run(try first.rows(of: left), try second.rows(of: right), &handler)
    }
    return try run(
      try first.rows(of: left, match.firstEntities ?? .allBut([])),
      try second.rows(of: right, match.secondEntities ?? .allBut([])), &handler)
  }

  private func comparison(of match: TableMatching.Match) -> RowComparison {
    RowComparison(
      match, first, second, objects, contents: isExact(match) ? nil : contents,
      comparesVersions: !options.ignoredAspects.contains(.counters))
  }

  /// Whether rows are compared with everything that belongs to one store: version counters, order
  /// keys, names of external files.
  private func isExact(_ match: TableMatching.Match) -> Bool {
    isExact(match.first, first, .first) && isExact(match.second, second, .second)
  }

  private func isExact(
    _ shape: TableLayout?, _ source: some RowSource, _ side: SourceSide
  ) -> Bool {
    guard let shape else { return true }
    let entities: [Name?] =
      switch shape.kind {
      case .entity: [shape.entityName]
      case .relationship: shape.fields.map { source.destination(of: $0, in: shape) }
      default: []
      }
    return entities.allSatisfy { entity in
      guard let table = entity.flatMap({ source.tableIndex(ofEntity: $0) }) else { return true }
      if objects.hasNumbers(table, on: side) { return false }
      return isSameStore || matching.tables[side.rawValue][table] == nil
    }
  }

  // MARK: Pairs and other rows

  private func comparePairs(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let (entity, relationship) = (shape.entityName ?? "", shape.relationshipName ?? "")
    let compared = comparison(of: match)
    let counts: ComparisonSummary.Counts
    if isExact(match) {
      var handler = PairHandler(compared, entityName: entity, relationshipName: relationship) {
        [onDifference] in try onDifference(.pair($0))
      }
      _ = try merge(match, shape, compared, rules(match), &handler)
      counts = handler.counts
    } else {
      var merge = PairMerge(
        compared, objects, entityName: entity, relationshipName: relationship,
        temporaryFolder: options.environment.temporaryFolder
      ) { [onDifference] in try onDifference(.pair($0)) }
      try rows.reportRows(of: shape) { step in
        try merge.take(
          try match.first.map { try first.rows(of: $0) }, .first, compared.ends(on: .first),
          step: step)
        try merge.take(
          try match.second.map { try second.rows(of: $0) }, .second, compared.ends(on: .second),
          step: step)
        try merge.finish()
        try step(merge.read / 2)
      }
      counts = merge.counts
    }
    guard counts.total > 0 else { return }
    summary.relationships.append(
      .init(entityName: entity, relationshipName: relationship, counts: counts))
  }

  private func compareRows(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let compared = comparison(of: match)
    let rules = rules(match)
    var handler = RowCountHandler(
      compared,
      isUnordered: match.first != nil && match.second != nil && rules.first.columns.isEmpty)
    _ = try merge(match, shape, compared, rules, &handler)
    guard handler.counts.total > 0 else { return }
    let differences = RowDifferences(
      subject: .init(shape.kind), tableName: shape.storedName, added: handler.counts.added,
      removed: handler.counts.removed, changed: handler.counts.changed)
    summary.tables.append(differences)
    try onDifference(.rows(differences))
  }

  /// Whether both are states of one store, whose files exist in one state only.
  private var haveSameFiles: Bool {
    first.kind == .store && first.path.hasSameBytes(as: second.path)
  }

  private func compareFiles() throws {
    let files = FileComparison(first: first, second: second, progress: progress) { [self] in
      summary.externalData.add($0.kind)
      try onDifference(.externalData($0))
    }
    // Files of objects with other keys have other names.
    if isSameStore || matching.groups.isEmpty {
      try files.compareByName()
    } else {
      try files.compareByContent()
    }
  }
}
