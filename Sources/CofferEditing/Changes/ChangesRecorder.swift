public import CofferComparison
public import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

extension StoreComparison {
  /// Writes a change file on the caller's thread.
  @discardableResult
  package func writeChanges(
    from first: String, to second: String, at target: ArchiveTarget,
    writing: ChangesOptions = ChangesOptions()
  ) throws -> ChangesSummary {
    var run = ComparisonRun(options: options, progress: progress)
    (run.options.matchesByObjectID, run.options.naturalKeys) = (true, [])
    var recorder = ChangesRecorder(target: target, options: writing, progress: progress)
    recorder.run = run
    return try run.open(first, second, for: recorder)
  }
}

/// Writes the changes between two open sources.
struct ChangesRecorder: SourcePairUse {
  let target: ArchiveTarget
  let options: ChangesOptions
  let progress: any ProgressReporter
  /// Whether the file records the content digests of both states, for which they are read again.
  var namesContent = true
  /// Finds the rows that can differ; nil to read all rows of the sources.
  var run: ComparisonRun?
  /// Writes the findings that the changes fix; nil for changes that are not the plan of a repair.
  var writeRepairs: ((RepairRecorder) throws -> Void)?

  func use(_ first: some RowSource, _ second: some RowSource) throws -> ChangesSummary {
    try StateCompatibility.require(first, second)
    // Files that are only hidden would be removed by the changes.
    try first.requireComplete()
    try second.requireComplete()
    let description = try ChangesDescription(second)
    // Before the file is started, so that its buffers and the buffers for the digests are not
    // needed at the same time.
    var states = ChangesDocument(
      before: .init(first.schema, digest: try contentDigest(of: first)),
      after: .init(second.schema, digest: try contentDigest(of: second)))
    states.isReversible = options.isReversible
    return try ChangesOutput.write(to: target, description, states, options) { output, summary in
      summary = ChangesSummary(firstKind: first.kind, secondKind: second.kind)
      try record(first, second, description, output, &summary)
      guard let writeRepairs else { return }
      let recorder = RepairRecorder(output)
      try writeRepairs(recorder)
      try recorder.finish()
    }
  }

  private func record(
    _ first: some RowSource, _ second: some RowSource, _ description: ChangesDescription,
    _ output: ChangesOutput, _ summary: inout ChangesSummary
  ) throws {
    let rows = RowProgress(progress, objectTotal: second.estimatedObjectCount)
    let differing = try run?.differing(first, second)
    for (shape, target) in zip(second.shapes, description.layout.tables) {
      guard
        let other = first.shapes.first(where: { $0.storedName.hasSameBytes(as: shape.storedName) })
      else { continue }
      if other == shape, let digests = first.digests(of: other),
        digests == second.digests(of: shape)
      {
        continue
      }
      let counts: TableCounts
      if !KeyRule(shape, schema: second.schema).columns.isEmpty {
        let writer = output.table(target)
        let handler: any RowHandler =
          options.isReversible ? writer : ReplacingHandler(writer: writer, shape: shape)
        if let differing {
          counts = try write(differing.0, other, differing.1, shape, rows, handler)
        } else {
          counts = try write(first, other, second, shape, rows, handler)
        }
      } else if options.isReversible {
        counts = try write(first, other, second, shape, rows, output.table(target))
      } else {
        counts = try writeWhole(first, other, second, shape, rows, output, target)
      }
      summary.add(counts, of: shape, second.entities)
    }
    rows.finishPhase()
    try recordFiles(first, second, output, &summary)
    try first.requireUnchanged()
    try second.requireUnchanged()
  }

  private typealias TableCounts = [Int64?: ComparisonSummary.Counts]

  private func write(
    _ first: some RowSource, _ other: TableLayout, _ second: some RowSource, _ shape: TableLayout,
    _ rows: RowProgress, _ writer: some RowHandler
  ) throws -> TableCounts {
    var handler = CountingHandler(writer, shape)
    try merge(first, other, second, shape, rows, &handler)
    return handler.counts
  }

  /// Writes all rows of a table without a row key, if it differs.
  private func writeWhole(
    _ first: some RowSource, _ other: TableLayout, _ second: some RowSource, _ shape: TableLayout,
    _ rows: RowProgress, _ output: ChangesOutput, _ target: TableLayout
  ) throws -> TableCounts {
    let found = RowCountHandler(
      RowComparison(TableMatching.Match(first: other, second: shape), first, second),
      isUnordered: false)
    let counts = try write(first, other, second, shape, rows, found)
    guard !counts.isEmpty else { return counts }
    let writer = output.table(target, isWhole: true)
    let all = try second.rows(of: shape)
    while try all.next() { try writer.add(all) }
    try writer.finish()
    return counts
  }

  private func contentDigest(of source: some RowSource) throws -> String? {
    guard namesContent else { return nil }
    if let fingerprint = source.fingerprint { return fingerprint.content.hex }
    guard let store = source as? StoreRowSource else { return nil }
    var exporter = StoreExporter(progress: progress)
    exporter.options.threads = 1
    return try exporter.contentDigest(of: store.store, store.database)
  }

  private func merge(
    _ first: some RowSource, _ other: TableLayout, _ second: some RowSource, _ shape: TableLayout,
    _ rows: RowProgress, _ handler: inout some RowHandler
  ) throws {
    let rule = KeyRule(shape, schema: second.schema)
    let compared = RowComparison(TableMatching.Match(first: other, second: shape), first, second)
    let (left, right) = (try first.rows(of: other), try second.rows(of: shape))
    try run(TableMerge((left, rule), (right, rule), compared), shape, rows, &handler)
  }

  private func run(
    _ merge: consuming TableMerge<some RowCursor, some RowCursor>, _ shape: TableLayout,
    _ rows: RowProgress, _ handler: inout some RowHandler
  ) throws {
    var merge = merge
    try rows.reportRows(of: shape) { try merge.run(&handler, step: $0) }
  }

  private func recordFiles(
    _ first: some RowSource, _ second: some RowSource, _ output: ChangesOutput,
    _ summary: inout ChangesSummary
  ) throws {
    let (left, right) = (try first.files().byPath, try second.files().byPath)
    for name in Set(left.keys).union(right.keys).sorted() {
      try Task<Never, Never>.checkCancellation()
      let (old, new) = (left[name], right[name])
      if let old, let new, try first.hasSameBytes(old, as: new, of: second) { continue }
      if let old, !options.isReversible {
        output.removeFile(old.components)
      } else if let old {
        try unsafe output.addFile(old.components, isAfter: false, size: old.size) { write in
          unsafe _ = try first.read(old, write)
        }
      }
      if let new {
        try unsafe output.addFile(new.components, isAfter: true, size: new.size) { write in
          unsafe _ = try second.read(new, write)
        }
      }
      summary.differences.externalData.add(ChangeKind(from: old, to: new))
    }
  }
}

/// Passes on changed rows without the previous values.
private struct ReplacingHandler: RowHandler {
  let writer: TableChangesWriter
  let shape: TableLayout

  func remove(_ first: some RowCursor) throws { try writer.remove(first) }
  func add(_ second: some RowCursor) throws { try writer.add(second) }
  func replace(_ second: some RowCursor) throws { try writer.replace(second) }
  func finish() throws { try writer.finish() }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    for column in shape.fields.indices where try !first.hasSameValue(column, as: second, column) {
      return try writer.replace(second)
    }
  }
}

extension StoreComparison {
  /// Writes a change file with the changes from the first source to the second, row by row.
  ///
  /// Rows are matched by their keys, so both must be states of one store, with the same model,
  /// schema and entity numbers.
  ///
  /// - Parameters:
  ///   - first: the path of the store or archive to start from.
  ///   - second: the path of the store or archive with the later state.
  ///   - target: where the file goes.
  ///   - writing: the options for writing it.
  /// - Returns: the number of changes.
  /// - Throws: ``CofferError`` if a source cannot be read or the file cannot be written; with
  ///   `model-mismatch` if the sources have different models or schemas, with `refused` if a link hides
  ///   files of a store; `CancellationError`.
  ///   Nothing remains of an incomplete file.
  @discardableResult
  public func writeChanges(
    from first: String, to second: String, at target: ArchiveTarget,
    writing: ChangesOptions = ChangesOptions()
  ) async throws -> ChangesSummary {
    try await BackgroundWork.run(progress) {
      try writeChanges(from: first, to: second, at: target, writing: writing)
    }
  }
}
