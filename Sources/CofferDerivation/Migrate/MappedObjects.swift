internal import CofferCore
internal import CofferTables
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The objects that one entity mapping makes, as the records of a table.
///
/// Use it only within the block of the old store's database.
final class MappedObjects: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "object"

  /// A statement that reads from the old object whose key is its parameter.
  private final class Query {
    let statement: SQLiteStatement
    init(_ statement: consuming SQLiteStatement) { self.statement = statement }
  }

  /// The content of a column.
  private enum Step {
    case key
    case constant(SQLiteValue)
    case calculated(ObjectExpression, ConditionScope)
    /// A value of an attribute; its file goes into the column of that number.
    case value(Query, isExternal: Bool, file: Int?)
    /// A file, which the value before fills in.
    case file
    case reference(Query, Name)
    case list(Query)
  }

  private var steps: [Step] = []
  private let keys: SQLiteStatement
  private let part: MappedParts.Part
  /// The old store, for expressions; nil without any.
  private var scope: ConditionScope?

  init(
    _ part: MappedParts.Part, _ plan: MappedPlan, _ database: SQLiteDatabase
  ) throws(CofferError) {
    self.part = part
    keys = try database.prepare(
      "SELECT t.\(quotedIdentifier(StoredName.primaryKey)) FROM \(quotedIdentifier(part.table)) AS t "
        + "WHERE \(part.condition) ORDER BY 1")
    guard let table = plan.layout.entityTable(of: part.destination) else { return }
    let all = SheetColumns.all(of: part.destination, table, plan.model)
    for column in all {
      switch (column.content, table.columns[column.column].role) {
      case (.key, _): add(column.name, .key)
      case (.attribute, .attribute(let path, _, let isExternal, _)):
        let file = all.first { $0.content == .file && $0.column == column.column }?.name
        try add(path, column.name, file: isExternal ? file : nil, plan, database)
      case (.reference, .toOne(let name, _)):
        guard let query = try query(name, plan, database) else { continue }
        guard case .objects(let sources)? = part.read.destinations[name],
          sources.contains(where: { $0.fetch != nil })
        else {
          add(column.name, .reference(query, name))
          continue
        }
        add(column.name, .constant(try only(query, name)))
      default: continue
      }
    }
    for relationship in plan.model.allRelationships(of: part.destination)
    where relationship.isToMany && !relationship.isTransient {
      guard plan.needsList(of: relationship, for: part),
        let query = try query(relationship.name, plan, database)
      else { continue }
      add(relationship.name.text, .list(query))
    }
  }

  private func add(_ name: String, _ step: Step) {
    columns.append(name)
    steps.append(step)
  }

  /// Adds the column of an attribute, or of an element of one, and of its files.
  private func add(
    _ path: [Name], _ name: String, file: String?, _ plan: MappedPlan, _ database: SQLiteDatabase
  ) throws(CofferError) {
    guard let value = path.first.flatMap({ part.read.values[$0] }),
      let attribute = plan.attribute(at: path, of: part.destination), !attribute.isDerived
    else { return }
    switch value {
    case .none: return
    case .constant(let value):
      let stored = value.flatMap { AttributeDefault($0, as: attribute.type) }
      add(name, .constant(stored.map { SQLiteValue($0) } ?? .null))
    case .calculated(let calculation):
      let scope =
        scope ?? ConditionScope(StoreRowSource(plan.store, database, StoreTables(plan.store)))
      self.scope = scope
      add(name, .calculated(calculation, scope))
    case .path(let names):
      guard
        let source = SourcePath(names + path.dropFirst(), from: part.source, in: plan.store.layout),
        let old = source.attribute, MappedValue.isCompatible(old.type, attribute.type)
      else { return }
      let query = Query(try database.prepare(source.valueStatement))
      guard old.isExternal else {
        return add(name, .value(query, isExternal: false, file: nil))
      }
      add(name, .value(query, isExternal: true, file: columns.count + 1))
      add(file ?? "\(name).file", .file)
    }
  }

  private func query(
    _ relationship: Name, _ plan: MappedPlan, _ database: SQLiteDatabase
  ) throws(CofferError) -> Query? {
    guard let selections = plan.selections(of: relationship, for: part) else { return nil }
    return Query(try database.prepare(SourcePath.keyStatement(selections)))
  }

  // MARK: Records

  func next() throws(CofferError) -> Bool {
    guard try keys.step() else { return false }
    record.removeAll()
    buffer.removeAll()
    record.line += 1
    let key = keys.int64(0)
    for (column, step) in steps.enumerated() {
      switch step {
      case .file: continue
      case .key: append(column, .integer(key &+ part.offset))
      case .constant(let value): append(column, buffer.append(value))
      case .calculated(let expression, let scope):
        append(column, buffer.append(try value(expression, key, columns[column], in: scope)))
      case .value(let query, let isExternal, let file):
        let value = try first(query, key)
        guard isExternal, case .blob(let bytes) = value else {
          append(column, buffer.append(value))
          continue
        }
        if let name = ExternalValue.fileName(value), let file {
          append(file, buffer.append(.string(name)))
        } else {
          append(column, buffer.append(.blob(Array(bytes.dropFirst()))))
        }
      case .reference(let query, let name):
        append(column, buffer.append(try only(query, name, of: key)))
      case .list(let query): append(column, try list(query, key))
      }
    }
    return true
  }

  private func append(_ column: Int, _ value: SheetValue) {
    record.fields.append(SheetRecord.Field(column: column, value: value))
  }

  /// The value of an expression.
  ///
  /// - Throws: `CofferError` with `invalid-table` if a part of it has no value, which Apple does not document.
  private func value(
    _ expression: ObjectExpression, _ key: Int64, _ name: String, in scope: ConditionScope
  ) throws(CofferError) -> SQLiteValue {
    do {
      if let value = try expression.value(ofObject: key, in: scope) { return value }
    } catch let error as CofferError {
      throw error
    } catch {
      throw CofferError(.invalidTable, path: part.rule.name.text, detail: "\(error)")
    }
    throw CofferError(
      .invalidTable, path: part.rule.name.text, item: "\(part.source)/p\(key)",
      detail: "the expression of \(name) has no value: a part of it has none, or it is not a number"
    )
  }

  private func first(_ query: Query, _ key: Int64) throws(CofferError) -> SQLiteValue {
    query.statement.bind(key, at: 1)
    defer { query.statement.reset() }
    return try query.statement.step() ? query.statement.value(0) : .null
  }

  /// The destination of a to-one relationship of an old object; without one, of all objects, for a fetch.
  ///
  /// - Throws: `CofferError` with `invalid-table` for several: Apple does not document which of them counts.
  private func only(
    _ query: Query, _ name: Name, of key: Int64? = nil
  ) throws(CofferError) -> SQLiteValue {
    if let key { query.statement.bind(key, at: 1) }
    defer { query.statement.reset() }
    guard try query.statement.step() else { return .null }
    let value = query.statement.value(0)
    guard try query.statement.step() else { return value }
    throw CofferError(
      .invalidTable, path: part.rule.name.text, item: key.map { "\(part.source)/p\($0)" },
      detail: "the to-one relationship \(name) would lead to several objects")
  }

  private func list(_ query: Query, _ key: Int64) throws(CofferError) -> SheetValue {
    query.statement.bind(key, at: 1)
    defer { query.statement.reset() }
    let first = record.elements.count
    while try query.statement.step() { record.elements.append(.integer(query.statement.int64(0))) }
    return .list(first..<record.elements.count)
  }
}
