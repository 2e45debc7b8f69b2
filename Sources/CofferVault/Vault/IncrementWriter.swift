internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Writes the differences of a store from a recorded state, as changes without the values
/// before.
struct IncrementWriter {
  /// The store is not the recorded one.
  struct Moved: Error {}

  private let source: StoreRowSource
  private let tables: StoreTables
  private let documents: ChangesDescription
  private let before: StateFile
  private let after: StateFile
  /// By table, the old parts that were read again, and the new parts; for other tables, all parts.
  private let stretches: [Name: [(old: Range<Int>, new: Range<Int>)]]
  private let missed: MissedChanges?

  /// Prepares to write.
  ///
  /// Stretches are, by table, the old parts that were read again, and the new ones; none for a table with only
  /// unchanged parts.
  init(
    _ source: StoreRowSource, _ tables: StoreTables, _ documents: ChangesDescription,
    from before: StateFile, to after: StateFile,
    _ stretches: [Name: [(old: Range<Int>, new: Range<Int>)]] = [:],
    noting missed: MissedChanges? = nil
  ) {
    (self.stretches, self.missed) = (stretches, missed)
    (self.source, self.tables, self.documents) = (source, tables, documents)
    (self.before, self.after) = (before, after)
  }

  /// Writes the change file.
  ///
  /// - Throws: ``Moved``; ``CofferError`` if something cannot be read or written, with `archive-limit` if
  ///   too many files differ; `CancellationError`. Nothing remains of an incomplete file.
  func write(to path: String, _ options: ChangesOptions) throws {
    var states = ChangesDocument(
      before: before.description.state, after: after.description.state)
    states.isReversible = false
    _ = try ChangesOutput.write(to: .file(path), documents, states, options) { output, _ in
      for (table, target) in zip(tables.sources, documents.layout.tables) {
        try Task<Never, Never>.checkCancellation()
        try write(table, target, output)
      }
      try writeFiles(output)
      try source.requireUnchanged()
    }
  }

  // MARK: Rows

  private func write(
    _ table: TableSource, _ target: TableLayout, _ output: ChangesOutput
  ) throws {
    let name = table.shape.storedName
    let key = KeyRule(table.shape, schema: documents.schema).columns
    let stretches = stretches[Name(name)]
    if stretches?.isEmpty == true { return }
    if key.isEmpty {
      let (old, new) = (before.rows(of: name, keyCount: 0), after.rows(of: name, keyCount: 0))
      if try !StateDifference.isSame(old, new) {
        missed?.note(Name(name), [])
        try writeWhole(table, target, output)
      }
      return
    }
    let root = table.shape.entityName.flatMap { documents.layout.entities.numbers[$0] }
    let (probe, rows) = (Row(columnCount: table.shape.fields.count), try singleRows(of: table))
    var writer: TableChangesWriter?
    func write(_ change: StateDifference.Change, _ integers: ContiguousArray<Int64>) throws {
      guard integers.count >= key.count else { throw Moved() }
      missed?.note(Name(name), integers)
      let writing = writer ?? output.table(target)
      writer = writing
      if change == .removed {
        let numbers = integers.prefix(key.count).map { KeyValue.integer($0) }
        return try writing.remove(
          key: RowKey(first: numbers[0], rest: Array(numbers.dropFirst())),
          entity: integers.count > key.count ? integers[key.count] : root)
      }
      for (column, number) in zip(key, integers) {
        probe.bind(number, at: Int32(clamping: column + 1))
      }
      guard try rows.move(to: probe, table.plan.identityColumns) else { throw Moved() }
      if change == .added { try writing.add(rows) } else { try writing.replace(rows) }
    }
    func compare(_ old: Range<Int>?, _ new: Range<Int>?) throws {
      try StateDifference.run(
        before.rows(of: name, keyCount: key.count, in: old),
        after.rows(of: name, keyCount: key.count, in: new), write)
    }
    if let stretches {
      for stretch in stretches { try compare(stretch.old, stretch.new) }
    } else {
      try compare(nil, nil)
    }
    try writer?.finish()
  }

  /// The rows of a table, read one at a time by key.
  private func singleRows(of table: TableSource) throws -> StoreRows {
    try StoreRows(
      TableSource(shape: table.shape, plan: table.plan.singleRow ?? table.plan),
      into: Row(columnCount: table.shape.fields.count), database: source.database)
  }

  /// Writes all rows of a table whose rows nothing identifies.
  private func writeWhole(
    _ table: TableSource, _ target: TableLayout, _ output: ChangesOutput
  ) throws {
    let writer = output.table(target, isWhole: true)
    let rows = try source.rows(of: table.shape)
    while try rows.next() { try writer.add(rows) }
    try writer.finish()
  }

  // MARK: Files

  private func writeFiles(_ output: ChangesOutput) throws {
    let (old, new) = (before.description.files, after.description.files)
    let differing = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    guard !differing.isEmpty else { return }
    let present = Dictionary(
      try source.files().map { (Name(ExternalEntryName.entry(for: $0.components)), $0) }
    ) { first, _ in first }
    for name in differing.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      try Task<Never, Never>.checkCancellation()
      guard let components = ExternalEntryName.components(of: name.text) else { throw Moved() }
      if old[name] != nil { output.removeFile(components) }
      guard let digest = new[name] else { continue }
      guard let file = present[name] else { throw Moved() }
      var (hasher, rest) = (ContentHasher(), file.size)
      try unsafe output.addFile(components, isAfter: true, size: file.size) { write in
        let isThere = unsafe try source.read(file) { bytes in
          guard bytes.count <= rest else { throw Moved() }
          rest -= bytes.count
          unsafe hasher.update(bytes)
          unsafe try write(bytes)
        }
        guard isThere, rest == 0 else { throw Moved() }
      }
      guard hasher.digest == digest else { throw Moved() }
    }
  }
}
