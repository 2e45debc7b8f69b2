internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Gives a private copy of a damaged store a list of tables that SQLite can read.
///
/// The readable part of the list stays. Tables that the list has lost are found by their rows: system tables
/// by their form, tables of objects and pairs by the model. The list is rewritten in the first page and in new
/// pages at the end; no other page is touched.
package struct SchemaMending {
  private let path: String
  private let place: String
  private let model: ManagedObjectModel?

  init(_ path: String, place: String, model: ManagedObjectModel?) {
    (self.path, self.place, self.model) = (path, place, model)
  }

  /// Mends the list if it is damaged.
  ///
  /// - Returns: whether it was damaged.
  /// - Throws: ``CofferError`` as the copy cannot be read or written, or for anything but damage.
  func run() throws -> Bool {
    guard let (read, isWhole) = try pages({ try $0.schemaRows() }), !isWhole else { return false }
    var rows = read
    try add(StoreBuilder.allAdministration, RowTest.administration, to: &rows)
    try write(rows)
    guard let design = try design() else { return true }
    let objects = design.tests
    try add(design.statements, objects.rows, to: &rows)
    try add(design.statements, objects.pairs, isUnique: true, to: &rows)
    try write(rows)
    return true
  }

  private func pages<T>(_ body: (DatabasePages) throws -> T) throws -> T? {
    try DatabasePages.reading(path, body)
  }

  /// Adds the tables that can be found.
  private func add(
    _ statements: [SchemaStatement], _ tests: [RowTest], isUnique: Bool = false,
    to rows: inout [SchemaRow]
  ) throws {
    let names = Set(rows.map { SchemaName($0.name) })
    let missing = tests.filter { !names.contains(SchemaName($0.table)) }
    guard !missing.isEmpty,
      let trees = try pages({ try LooseTrees($0, besides: rows.map(\.root)) })
    else { return }
    let roots = trees.roots(of: missing, isUnique: isUnique)
    for statement in statements where statement.kind == .table {
      guard let root = roots[statement.name] else { continue }
      rows.append(SchemaRow(table: statement.name, root: root, sql: statement.sql))
      if isUnique { rows.append(SchemaRow(indexOf: statement.name, root: 0)) }
    }
  }

  // MARK: The model

  /// The tables of the model.
  private struct Design {
    let statements: [SchemaStatement]
    let tests: (rows: [RowTest], pairs: [RowTest])
  }

  /// The design of the model, the store's own model if it can be read now; nil without any.
  private func design() throws -> Design? {
    let connection = try SQLiteConnection(path: path, access: .salvaging, place: place)
    defer { try? connection.close() }
    let contents = try connection.use { try StoreContents($0, isTolerant: true) }
    guard let model = contents.model ?? model else { return nil }
    let isForeign = contents.registry.isForeign(to: model)
    let numbers = contents.registry.rows.map { ($0.name, $0.number) }
    let design = StoreDesign(
      model: model, numbers: isForeign ? nil : Dictionary(numbers) { first, _ in first },
      era: contents.metadata.era ?? .newest)
    let catalog = try SchemaCatalog(ofTablesIn: design.tables, place: place)
    let layout = StoreLayout(model: model, registry: design.registry, catalog: catalog)
    var rows = layout.entityTables.compactMap { table in
      catalog.table(table.tableName).flatMap {
        RowLayout(
          $0, entityNumbers: Set(table.entityNames.compactMap { layout.numbering.numbers[$0] }))
      }
    }
    let ofObjects = Set(rows.map { SchemaName($0.table.name) })
    let others = catalog.tables.filter { !ofObjects.contains(SchemaName($0.name)) }
    rows += others.compactMap { RowLayout($0, entityNumbers: Self.systemNumbers) }
    return Design(
      statements: design.tables,
      tests: (rows.map { RowTest($0) }, others.compactMap { RowTest(pairsOf: $0) }))
  }

  /// The numbers of the framework's own entities.
  private static let systemNumbers = Set(
    EntityRegistry.firstSystemNumber..<(EntityRegistry.firstSystemNumber + 16))

  // MARK: Writing

  /// The offsets of the header fields for the journal mode, the free pages and auto-vacuum.
  private static let formats = 18..<20
  private static let pageCount = 28..<32
  private static let freePages = 32..<40
  private static let moves = [52..<56, 64..<68]
  /// The offsets of the change counter, and of the change for which the page count is valid.
  private static let changes = (counted: 92..<96, last: 24..<28)

  /// Rewrites the list.
  private func write(_ rows: [SchemaRow]) throws {
    let file = try PageFile(path, place: place)
    let bytes = try file.read(at: 0, count: DatabaseHeader.length)
    let header = try DatabaseHeader(bytes, place: place)
    guard let size = header.pageSize, let usable = header.usableSize else { return }
    // An index that a constraint implies must exist, but is not read.
    let index = file.byteCount / size + 1
    var first = Array(bytes.prefix(DatabaseHeader.length))
    for range in [Self.freePages] + Self.moves { first.replace(range, with: 0) }
    first.replaceSubrange(Self.formats, with: [1, 1])
    first.replace(Self.pageCount, with: UInt32(clamping: index))
    first.replaceSubrange(Self.changes.counted, with: first[Self.changes.last])
    let end = usable == 65_536 ? 0 : usable
    let emptyPage = { (mark: UInt8, start: Int) in
      [mark, 0, 0, 0, 0, UInt8(end >> 8), UInt8(end & 0xff), 0]
        + [UInt8](repeating: 0, count: size - start - 8)
    }
    try file.write(first + emptyPage(13, first.count), at: 0)
    try file.write(emptyPage(10, 0), at: (index - 1) * size)
    try insert(
      rows.map { row in
        var row = row
        if row.kind == "index", row.root == 0 { row.root = index }
        return row
      })
    for range in [Self.formats] + Self.moves {
      try file.write(Array(bytes[range]), at: range.lowerBound)
    }
  }

  private func insert(_ rows: [SchemaRow]) throws {
    let tables = Set(
      rows.filter { ["table", "view"].contains($0.kind) }.map { SchemaName($0.name) })
    let connection = try SQLiteConnection(path: path, access: .writing, place: place)
    try connection.use { database throws(CofferError) in
      try database.run("PRAGMA journal_mode = OFF")
      try database.run("PRAGMA writable_schema = ON")
      try database.run("BEGIN")
      for row in rows where tables.contains(SchemaName(row.tableName)) {
        try database.run(
          "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)",
          [
            .string(row.kind), .string(row.name), .string(row.tableName),
            .integer(Int64(row.root)), row.sql.map { .string($0) } ?? .null,
          ])
      }
      try database.run("COMMIT")
    }
    try connection.close()
  }
}

extension [UInt8] {
  /// Overwrites bytes with a repeated big-endian number of 32 bits.
  fileprivate mutating func replace(_ range: Range<Int>, with number: UInt32) {
    for place in range {
      let shift = 24 - (place - range.lowerBound) % 4 * 8
      self[place] = UInt8(truncatingIfNeeded: number >> shift)
    }
  }
}

/// A private copy of a database as bytes.
package struct PageFile: ~Copyable {
  private let descriptor: Int32
  private let place: String

  /// Opens the copy.
  init(_ path: String, place: String) throws(CofferError) {
    descriptor = FileOpening.open(path, O_RDWR)
    self.place = place
    guard descriptor >= 0 else {
      throw CofferError(.cannotCopy, path: place, detail: SystemError.last.text)
    }
  }

  deinit { FileIO.close(descriptor) }

  var byteCount: Int { FileIO.size(of: descriptor) ?? 0 }

  func read(at offset: Int, count: Int) throws(CofferError) -> [UInt8] {
    do throws(SystemError) {
      return try FileBytes.read(descriptor, at: offset, count: count)
    } catch {
      throw CofferError(.readFailed, path: place, detail: error.text)
    }
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(CofferError) {
    let result = unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in
        try unsafe FileIO.writeAll(descriptor, at: offset, bytes)
      }
    }
    if case .failure(let error) = result {
      throw CofferError(.cannotCopy, path: place, detail: error.text)
    }
  }

  /// Applies the commits of a log, as a checkpoint does; nothing happens without one.
  func apply(logAt path: String, pageSize: Int) throws(CofferError) {
    guard FileState(named: path) != nil else { return }
    let log = try WriteAheadLog(path: path)
    guard let commits = try log.commits(since: nil), commits.mark.header.pageSize == pageSize else {
      return
    }
    let source = try PageFile(path, place: place)
    for (number, offset) in commits.pages {
      let (start, overflow) = (number - 1).multipliedReportingOverflow(by: pageSize)
      guard !overflow else { continue }
      try write(source.read(at: Int(clamping: offset), count: pageSize), at: start)
    }
  }
}
