internal import CofferCore
internal import CoreDataDesign
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts the objects of one entity from a table.
final class SheetObjects {
  let entityName: Name
  let index: Int
  private let context: SheetContext
  private let names: SheetColumns
  private let statement: SQLiteStatement
  /// The meanings of the columns of the file's table, as far as they have occurred.
  private var columns: ContiguousArray<SheetColumn> = []
  /// By column of the store: the value of an object without a value in its record.
  private var absent: [SQLiteValue]
  /// By column of the store: the name of an attribute that must have a value.
  private var required: [Name?]
  /// The columns of the store that need care when a record has no value for them.
  private var careful: [Int] = []
  /// By column of the store: the number of the record that has a value.
  private var marks: ContiguousArray<Int>
  /// By column of the store: whether the record has it; only in a merge.
  private var stated: ContiguousArray<Bool> = []
  private let entityNumber: Int64
  private var number = 0
  /// Fields that need the primary key, which may come later in the record.
  private var pending: ContiguousArray<SheetRecord.Field> = []
  private let keyParameter: Int32
  private var identifiers: [Int: PreparedStatement] = [:]
  private var lists: [Int: PreparedStatement] = [:]

  /// Prepares the insertion.
  ///
  /// - Throws: `CofferError`: `invalid-table` for an abstract entity; mapped from SQLite's result code.
  init(_ entityName: Name, _ context: SheetContext, at place: SheetPlace) throws(CofferError) {
    guard let index = context.schema.table(of: entityName),
      let entity = context.layout.numbering.number(of: entityName)
    else { throw place.error("the store has no table for \(entityName)") }
    guard context.model[entityName]?.isAbstract == false else {
      throw place.error(
        "\(entityName) is abstract, so there can be no objects of it",
        advice: "Give each of its subentities a table.")
    }
    self.entityName = entityName
    self.index = index
    entityNumber = entity
    self.context = context
    names = try SheetColumns(context, of: entityName, table: index)
    let table = context.schema.tables[index]
    statement = try context.database.prepareInsertion(
      table: table.tableName, columns: table.columns.map(\.storedName), hasRowNumbers: false)
    let count = table.columns.count
    absent = Array(repeating: .null, count: count)
    required = Array(repeating: nil, count: count)
    marks = ContiguousArray(repeating: 0, count: count)
    keyParameter = Int32(clamping: (table.position(of: .primaryKey) ?? 0) + 1)
    let fixed = [(FieldRole.entityNumber, entity), (.version, 1)]
    for (role, value) in fixed {
      if let column = table.position(of: role) {
        statement.bind(value, at: Int32(clamping: column + 1))
      }
    }
    planAbsentValues(table)
  }

  private func planAbsentValues(_ table: EntityTable) {
    let lineage = context.model.lineage(of: entityName)
    for (column, field) in table.columns.enumerated() {
      guard case .attribute(let path, _, let isExternal, let declarer) = field.role,
        let entity = lineage.first(where: { $0.name == declarer }),
        let attribute = entity.attribute(at: path)
      else { continue }
      if !isExternal, let value = AttributeDefault(attribute) {
        absent[column] = SQLiteValue(value)
      }
      if !attribute.isOptional, !attribute.isDerived, path.count == 1 {
        required[column] = attribute.name
      }
      if absent[column] != .null || required[column] != nil { careful.append(column) }
    }
  }

  // MARK: Columns

  /// Identifies new columns since the last time.
  private func extend(
    to names: [String], entityColumn: Int?, at place: SheetPlace
  ) throws(CofferError) {
    for (number, name) in names.enumerated().dropFirst(columns.count) {
      let found =
        switch entityColumn {
        case number: SheetColumn.ignored
        case nil: try self.names.column(Name(name), at: place)
        default: try self.names.column(Name(name), among: names, at: place)
        }
      guard let found else { throw self.names.unknown(name, at: place) }
      columns.append(found)
      switch found {
      case .attribute(let column, _, _), .reference(let column, _), .position(let column),
        .file(let column, _):
        noteGiven(column)
      case .group(let elements): elements.forEach(noteGiven)
      default: break
      }
    }
  }

  /// Requires that columns of a table without records have a meaning.
  func requireKnown(_ columns: [String], at place: SheetPlace) throws(CofferError) {
    for name in columns where try !names.knows(Name(name)) { throw names.unknown(name, at: place) }
  }

  private func noteGiven(_ column: Int) {
    context.givenColumns[index].insert(column)
    if !careful.contains(column) { careful.append(column) }
  }

  // MARK: Records

  /// Inserts the record that a reader has read.
  ///
  /// A table of several entities has a column with theirs.
  ///
  /// - Throws: `CofferError` with `invalid-table` that names the place of the error; with other
  ///   codes if files cannot be read or written.
  @discardableResult
  func insert(
    _ reader: some SheetReader, entityColumn: Int?, at place: () -> SheetPlace
  ) throws(CofferError) -> Int64 {
    let names = reader.columns
    if columns.count < names.count {
      try extend(to: names, entityColumn: entityColumn, at: reader.header(place()))
    }
    number += 1
    pending.removeAll(keepingCapacity: true)
    let record = reader.record
    if context.target != nil {
      stated = ContiguousArray(repeating: false, count: marks.count)
    }
    let values = SheetValues(buffer: reader.buffer, dateFormat: context.dateFormat)
    var key: Int64?
    for field in record.fields {
      do {
        try take(field, values, &key)
      } catch {
        throw locate(error, place, names[field.column])
      }
    }
    try completeAbsentValues(place)
    let own: Int64
    if let key { own = key } else { own = try nextKey(place) }
    statement.bind(own, at: keyParameter)
    do throws(CofferError) {
      try statement.run()
    } catch {
      guard error.objectionToContent != nil else { throw error }
      var found = place()
      found.column = context.keyName
      let reason = error.objectionToContent ?? ""
      throw key == nil
        ? found.error("the object cannot be stored: \(reason)")
        : found.error("the primary key \(own) is used twice, or \(reason)")
    }
    context.highestKeys[index] = max(context.highestKeys[index], own)
    if let target = context.target {
      try target.note(StoredObject(table: index, key: own), of: entityNumber, stated)
    }
    for field in pending {
      do {
        try note(field, of: own, record, values)
      } catch {
        throw locate(error, place, names[field.column])
      }
    }
    return own
  }

  private func locate(
    _ error: any Error, _ place: () -> SheetPlace, _ column: String
  ) -> CofferError {
    var found = place()
    found.column = column
    guard let problem = error as? SheetValueProblem else {
      return error as? CofferError ?? found.error("\(error)")
    }
    return found.error(problem.detail, advice: problem.advice)
  }

  /// The primary key of the next record without one.
  private func nextKey(_ place: () -> SheetPlace) throws(CofferError) -> Int64 {
    let (key, isTooLarge) = context.highestKeys[index].addingReportingOverflow(1)
    if isTooLarge { throw place().error("all primary keys are used") }
    return key
  }

  private func take(_ field: SheetRecord.Field, _ values: SheetValues, _ key: inout Int64?) throws {
    let value = field.value
    if context.target != nil, let column = columns[field.column].storedColumn {
      stated[column] = true
    }
    switch columns[field.column] {
    case .key:
      guard value != .none else { return }
      let found = try values.key(value)
      guard found > 0 else { throw SheetValueProblem(detail: "a primary key is a positive number") }
      key = found
    case .ignored: break
    case .empty: try requireNone(value)
    case .group(let elements):
      try requireNone(value)
      elements.forEach(clear)
    case .attribute(let column, let form, let type):
      try bind(try values.stored(value, form, type), values, at: column)
    case .reference(let column, let naming):
      guard value != .none else { return try bind(.none, values, at: column) }
      try bind(try context.reference(value, naming, values), values, at: column)
    case .position(let column):
      try bind(value == .none ? .none : .integer(try values.key(value)), values, at: column)
    case .file(let column, let isExternal):
      guard value != .none else { return }
      guard case .text(let path) = value else {
        throw SheetValueProblem(detail: "it is not a path")
      }
      try mark(column)
      let name = values.buffer.string(path)
      let stored = try isExternal ? context.files.copy(name) : context.files.read(name)
      statement.bind(stored, at: Int32(clamping: column + 1))
    case .list, .identifier:
      if value != .none { pending.append(field) }
    }
  }

  private func requireNone(_ value: SheetValue) throws(SheetValueProblem) {
    if value != .none { throw SheetValueProblem(detail: "\(entityName) has no such property") }
  }

  /// Binds no value, unless the record has one or has it later.
  private func clear(_ column: Int) {
    guard marks[column] != number else { return }
    if context.target != nil { stated[column] = true }
    marks[column] = -number
    statement.bindNull(Int32(clamping: column + 1))
  }

  /// Binds a value, or none unless the record has one in another column.
  private func bind(
    _ value: SheetValue, _ values: SheetValues, at column: Int
  ) throws(SheetValueProblem) {
    guard value != .none else { return clear(column) }
    try mark(column)
    statement.bind(value, of: values.buffer, at: Int32(clamping: column + 1))
  }

  /// Notes that the record has a value for a column, which must be the first one.
  private func mark(_ column: Int) throws(SheetValueProblem) {
    guard marks[column] != number else {
      throw SheetValueProblem(detail: "the property has two values")
    }
    marks[column] = number
  }

  /// Gives columns without value in the record their defaults.
  private func completeAbsentValues(_ place: () -> SheetPlace) throws(CofferError) {
    for column in careful where marks[column] != number {
      let isEmpty = marks[column] == -number
      // An object that the store has need not get the value.
      let isOpen = context.target != nil && !isEmpty
      if let name = required[column], !isOpen, absent[column] == .null {
        var found = place()
        found.column = name.text
        throw found.error("a value is required")
      }
      if !isEmpty { statement.bind(absent[column], at: Int32(clamping: column + 1)) }
    }
  }

  /// Records the references to an object, or the destinations of its lists.
  private func note(
    _ field: SheetRecord.Field, of key: Int64, _ record: SheetRecord, _ values: SheetValues
  ) throws {
    switch columns[field.column] {
    case .identifier(let number):
      let box = try identifiers[number] ?? PreparedStatement(context.linking.keyInsertion(number))
      identifiers[number] = box
      let value = try context.identifier(field.value, values)
      box.statement.bind(value, of: values.buffer, at: 1)
      box.statement.bind(key, at: 2)
      try box.statement.run()
      if context.database.changeCount == 0 {
        throw SheetValueProblem(detail: "two objects have the same key")
      }
    case .list(let number, let naming):
      let box = try lists[number] ?? PreparedStatement(context.linking.listInsertion(number))
      lists[number] = box
      var position: Int64 = 0
      func add(_ element: SheetValue) throws {
        guard element != .none else {
          throw SheetValueProblem(detail: "the list has an empty element")
        }
        box.statement.bind(key, at: 1)
        box.statement.bind(position, at: 2)
        let value = try context.reference(element, naming, values)
        box.statement.bind(value, of: values.buffer, at: 3)
        try box.statement.run()
        position += 1
      }
      switch field.value {
      case .list(let range): for place in range { try add(record.elements[place]) }
      case .text(let range):
        let parts = values.buffer.parts(of: range)
        if parts.count > 1, case .key(let keys) = naming { context.keysInTexts.insert(keys) }
        for part in parts { try add(.text(part)) }
      default: try add(field.value)
      }
    default: break
    }
  }
}

extension SQLiteStatement {
  /// Binds a value of a table, whose bytes stay where they are until the statement has run.
  func bind(_ value: SheetValue, of buffer: SheetBuffer, at parameter: Int32) {
    switch value {
    case .none, .list: bindNull(parameter)
    case .integer(let number): bind(number, at: parameter)
    case .real(let number), .written(let number, _): bind(number, at: parameter)
    case .boolean(let flag): bind(flag ? Int64(1) : 0, at: parameter)
    case .text(let range): unsafe bind(lentText: buffer.bytes(range), at: parameter)
    case .blob(let range): unsafe bind(lentBlob: buffer.bytes(range), at: parameter)
    }
  }
}
