internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

extension StoreComparison {
  /// Writes a file of changes that says how the first source becomes the second, row by row.
  ///
  /// Rows are matched by their keys, so both must be states of one store: of the same model, in the
  /// same schema, with the same entity numbers.
  ///
  /// - Parameters:
  ///   - first: the path of the store or archive to start from.
  ///   - second: the path of the store or archive with the later state.
  ///   - target: where the file goes.
  ///   - writing: how it is written.
  /// - Returns: the number of changes.
  /// - Throws: ``CofferError`` if a source cannot be read or the file cannot be written; with
  ///   `model-mismatch` if the sources have different models or schemas; `CancellationError`.
  ///   Nothing remains of an incomplete file.
  @discardableResult
  public func writeChanges(
    from first: String, to second: String, at target: ArchiveTarget,
    writing: ChangesOptions = ChangesOptions()
  ) throws -> ChangesSummary {
    try ComparisonRun(options: options, progress: progress).open(
      first, second, for: ChangesRecorder(target: target, options: writing, progress: progress))
  }
}

/// Writes the changes between two open sources.
struct ChangesRecorder: SourcePairUse {
  let target: ArchiveTarget
  let options: ChangesOptions
  let progress: any ProgressReporter
  /// Whether the file names the content of both states, which costs reading them once more.
  var namesContent = true

  func use(_ first: some RowSource, _ second: some RowSource) throws -> ChangesSummary {
    try StateCompatibility.require(first, second)
    let description = try ChangesDescription(second)
    // Before the file is begun, whose buffers would come on top of those for the digests.
    let states = ChangesDocument(
      before: .init(first.schema, digest: try contentDigest(of: first)),
      after: .init(second.schema, digest: try contentDigest(of: second)))
    return try ChangesOutput.write(to: target, description, states, options) { output, summary in
      summary = ChangesSummary(firstKind: first.kind, secondKind: second.kind)
      try record(first, second, description, output, &summary)
    }
  }

  private func record(
    _ first: some RowSource, _ second: some RowSource, _ description: ChangesDescription,
    _ output: ChangesOutput, _ summary: inout ChangesSummary
  ) throws {
    let rows = RowProgress(progress, objectTotal: second.estimatedObjectCount)
    for (shape, target) in zip(second.shapes, description.layout.tables) {
      guard
        let other = first.shapes.first(where: { $0.storedName.hasSameBytes(as: shape.storedName) })
      else { continue }
      if other == shape, let digests = first.digests(of: other),
        digests == second.digests(of: shape)
      {
        continue
      }
      var handler = CountingHandler(output.table(target), shape)
      try merge(first, other, second, shape, rows, &handler)
      summary.add(handler.counts, of: shape, second.entities)
    }
    rows.finishPhase()
    try recordFiles(first, second, output, &summary)
    try first.requireUnchanged()
    try second.requireUnchanged()
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
    let compared = RowComparison(
      TableMatching.Match(first: other, second: shape), first, second)
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
    for name in Set(left.keys).union(right.keys).sortedNames {
      try Task<Never, Never>.checkCancellation()
      let (old, new) = (left[name], right[name])
      if let old, let new, old.size == new.size,
        try first.digest(of: old) == second.digest(of: new)
      {
        continue
      }
      if let old {
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

/// Whether rows of two states can be told apart by their keys alone.
enum StateCompatibility {
  /// Checks that two sources have the same model, schema, layout and entity numbers.
  ///
  /// - Throws: ``CofferError`` with `model-mismatch`, and what to do.
  static func require(_ first: some RowSource, _ second: some RowSource) throws(CofferError) {
    try require(
      LayoutDocument(entities: first.entities, tables: first.shapes), first.model, first.schema,
      LayoutDocument(entities: second.entities, tables: second.shapes), second.model,
      second.schema, path: second.path)
  }

  /// Checks that a store is of the model, schema, layout and entity numbers of a file of changes.
  static func require(
    _ store: some RowSource, _ documents: ArchiveDocuments, path: String
  ) throws(CofferError) {
    try require(
      LayoutDocument(entities: store.entities, tables: store.shapes), store.model, store.schema,
      documents.layout, documents.model, documents.schema, path: path)
  }

  /// Checks that two files of changes are of the same model, schema, layout and entity numbers.
  static func require(
    _ first: ArchiveDocuments, _ second: ArchiveDocuments, path: String
  ) throws(CofferError) {
    try require(
      first.layout, first.model, first.schema, second.layout, second.model, second.schema,
      path: path)
  }

  private static func require(
    _ layout: LayoutDocument, _ model: ManagedObjectModel, _ schema: SchemaDocument,
    _ otherLayout: LayoutDocument, _ otherModel: ManagedObjectModel, _ otherSchema: SchemaDocument,
    path: String
  ) throws(CofferError) {
    var model = model
    model.source = otherModel.source
    guard model == otherModel else {
      throw mismatch(path, "it has another managed object model than the other side")
    }
    guard layout.entities == otherLayout.entities else {
      throw mismatch(path, "its entities have other numbers than on the other side")
    }
    if let name = difference(schema, otherSchema) {
      throw mismatch(path, "its schema differs from that of the other side: \(name)")
    }
    guard tables(layout) == tables(otherLayout) else {
      throw mismatch(path, "its tables have another meaning than on the other side")
    }
    guard schema.pageSize == otherSchema.pageSize, schema.autoVacuum == otherSchema.autoVacuum,
      schema.encoding == otherSchema.encoding
    else {
      throw mismatch(path, "its page size, auto-vacuum mode or text encoding differs")
    }
  }

  private static func mismatch(_ path: String, _ detail: String) -> CofferError {
    CofferError(
      .modelMismatch, path: path, detail: detail,
      advice: "Migrate the older store first: coffer migrate STORE MODEL NEWSTORE")
  }

  /// The name of a statement that only one schema has; nil if there is none.
  private static func difference(_ one: SchemaDocument, _ other: SchemaDocument) -> String? {
    func byName(_ schema: SchemaDocument) -> [ExactString: ExactString] {
      Dictionary(
        schema.statements.map { (ExactString("\($0.kind) \($0.name)"), ExactString($0.text)) }
      ) { first, _ in first }
    }
    let (left, right) = (byName(one), byName(other))
    return Set(left.keys).union(right.keys).sortedNames.first { left[$0] != right[$0] }?.description
  }

  /// The tables by their names, whatever their folders are.
  private static func tables(_ layout: LayoutDocument) -> [ExactString: TableLayout] {
    Dictionary(
      layout.tables.map { table in
        var table = table
        table.folder = ""
        return (ExactString(table.storedName), table)
      }
    ) { first, _ in first }
  }
}
