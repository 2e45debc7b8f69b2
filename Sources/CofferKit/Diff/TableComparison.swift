internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Compares two open sources completely.
final class TableComparison<First: RowSource, Second: RowSource> {
  private let first: First
  private let second: Second
  private let options: ComparisonOptions
  private let progress: any ProgressReporter
  private let rows: RowProgress
  private let onDifference: (Difference) throws -> Void

  private var summary: ComparisonSummary
  private var entityCounts: [ExactString: ComparisonSummary.Counts] = [:]

  init(
    _ first: First, _ second: Second, options: ComparisonOptions,
    progress: any ProgressReporter, onDifference: @escaping (Difference) throws -> Void
  ) {
    self.first = first
    self.second = second
    self.options = options
    self.progress = progress
    rows = RowProgress(
      progress, objectTotal: max(first.estimatedObjectCount, second.estimatedObjectCount))
    self.onDifference = onDifference
    summary = ComparisonSummary(firstKind: first.kind, secondKind: second.kind)
  }

  /// Compares everything.
  func complete() throws -> ComparisonSummary {
    (summary.firstContentDigest, summary.secondContentDigest) = (
      first.fingerprint?.content.hex, second.fingerprint?.content.hex
    )
    if let fingerprint = first.fingerprint, fingerprint == second.fingerprint {
      for shape in first.shapes where shape.kind == .entity { countEqual(shape) }
      return summary
    }
    var facts = StoreFactComparison(first, second, options)
    try facts.run()
    for difference in facts.differences {
      summary.store.add(difference.kind)
      try onDifference(.store(difference))
    }
    for match in TableMatching(first, second).matches
    where !options.isLimitedToObjects || match.shapes.contains(where: { $0.kind == .entity }) {
      try compare(match)
    }
    rows.finishPhase()
    if !options.isLimitedToObjects { try compareFiles() }
    summary.entities = entityCounts.sorted { codeUnitsAscend($0.key.text, $1.key.text) }
      .map { .init(entityName: $0.key.text, counts: $0.value) }
    summary.tables.sort { codeUnitsAscend($0.tableName, $1.tableName) }
    return summary
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

  /// Counts the objects of a table that both sides have, and that are the same.
  private func countEqual(_ shape: TableLayout) {
    let count = first.estimatedRowCount(of: shape) ?? 0
    summary.firstObjectCount += count
    summary.secondObjectCount += count
    rows.end(count, of: shape)
  }

  /// Whether both are in archives with equal digests, so that nothing must be read.
  private func isSameByDigests(_ match: TableMatching.Match) -> Bool {
    guard match.isWhole, let left = match.first, let right = match.second, left == right,
      let digests = first.digests(of: left)
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
      // Sides that take part as a whole are filtered by nothing.
      let filters = (match.firstEntities ?? .allBut([]), match.secondEntities ?? .allBut([]))
      return try run(
        TableMerge(
          (try match.first.map { try first.rows(of: $0, filters.0) }, rules.first),
          (try match.second.map { try second.rows(of: $0, filters.1) }, rules.second), compared,
          isSwapped: false), shape, &handler)
    }
    return try run(
      TableMerge(
        (try match.first.map { try first.rows(of: $0) }, rules.first),
        (try match.second.map { try second.rows(of: $0) }, rules.second), compared,
        isSwapped: match.isSwapped), shape, &handler)
  }

  private func run(
    _ merge: consuming TableMerge<some RowCursor, some RowCursor>, _ shape: TableLayout,
    _ handler: inout some RowHandler
  ) throws -> (first: Int, second: Int) {
    var merge = merge
    var passed = 0
    rows.report(0, of: shape)
    try merge.run(&handler) { count in
      passed = count
      rows.report(count, of: shape)
      try Task<Never, Never>.checkCancellation()
    }
    rows.end(passed, of: shape)
    return merge.counts
  }

  private func compareObjects(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let compared = RowComparison(match, first, second)
    var handler = ObjectHandler(
      rows: compared, options: options, paths: (first.path, second.path)
    ) { [self] difference in
      let name = ExactString(difference.objectID.entityName)
      entityCounts[name, default: .init()].add(difference.kind)
      try onDifference(.object(difference))
    }
    let counts = try merge(match, shape, compared, rules(match), &handler)
    summary.firstObjectCount += counts.first
    summary.secondObjectCount += counts.second
    if let other = match.second, match.first != nil, shape.hasSameRoot(as: other),
      let name = shape.entityName
    {
      summary.rootCounts.append(.init(name: name, first: counts.first, second: counts.second))
    }
  }

  private func comparePairs(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let (entity, relationship) = (shape.entityName ?? "", shape.relationshipName ?? "")
    let compared = RowComparison(match, first, second)
    var handler = PairHandler(compared, entityName: entity, relationshipName: relationship) {
      [onDifference] in try onDifference(.pair($0))
    }
    _ = try merge(match, shape, compared, rules(match), &handler)
    guard handler.counts.total > 0 else { return }
    summary.relationships.append(
      .init(entityName: entity, relationshipName: relationship, counts: handler.counts))
  }

  private func compareRows(_ match: TableMatching.Match, _ shape: TableLayout) throws {
    let compared = RowComparison(match, first, second)
    let rules = rules(match)
    var handler = RowCountHandler(
      compared,
      isUnordered: match.first != nil && match.second != nil && rules.first.columns.isEmpty)
    _ = try merge(match, shape, compared, rules, &handler)
    guard handler.counts.total > 0 else { return }
    let subject: RowDifferences.Subject =
      switch shape.kind {
      case .history: .history
      case .cloudKit: .cloudKit
      case .system: .system
      default: .unknown
      }
    let differences = RowDifferences(
      subject: subject, tableName: shape.storedName, added: handler.counts.added,
      removed: handler.counts.removed, changed: handler.counts.changed)
    summary.tables.append(differences)
    try onDifference(.rows(differences))
  }

  private func compareFiles() throws {
    let left = try Self.byName(first.files())
    let right = try Self.byName(second.files())
    let names = Set(left.keys).union(right.keys).sortedNames
    for (number, name) in names.enumerated() {
      progress.report(WorkProgress(.externalData, completed: number, total: names.count))
      try Task<Never, Never>.checkCancellation()
      let kind: ChangeKind
      switch (left[name], right[name]) {
      case (let old?, let new?):
        if old.size == new.size, try first.digest(of: old) == second.digest(of: new) { continue }
        kind = .changed
      case (nil, _): kind = .added
      case (_, nil): kind = .removed
      }
      summary.externalData.add(kind)
      try onDifference(
        .externalData(
          FileDifference(
            kind: kind, name: (left[name] ?? right[name])?.externalName ?? name,
            oldByteCount: left[name]?.size, newByteCount: right[name]?.size)))
    }
    if !names.isEmpty {
      progress.report(
        WorkProgress(.externalData, completed: names.count, total: names.count))
    }
  }

  private static func byName(
    _ files: [SupportFolder.File]
  ) -> [ExactString: SupportFolder.File] {
    Dictionary(files.map { (ExactString($0.components.joined(separator: "/")), $0) }) { first, _ in
      first
    }
  }
}
