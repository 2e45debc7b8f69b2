package import CoreDataModel

/// The allowed statements of a store's schema: the statements of Core Data and SwiftData, and additions by
/// apps and SQLite that only compute and change nothing else.
///
/// An archive comes from someone else, and its statements are run. So a statement may only create
/// the table, index, view or trigger that it names. It must be a single statement and use only
/// functions of ``SchemaFunctions``; views and triggers use only tables of the same schema; virtual
/// tables use only SQLite's own modules for spatial and text search. SQLite judges the statement as
/// SQL, and ``StoreConstruction`` compares afterwards what it created.
package struct SchemaPolicy {
  /// The names of the tables and views of the schema, as far as statements may use them.
  let tables: Set<SchemaName>

  /// The maximum number of words and signs in the expressions of a table, or of an index: they are
  /// computed for every row.
  static let longestExpressions = 1000

  /// The policy of a schema that consists of these statements.
  package init(_ statements: [SchemaStatement]) {
    tables = Set(
      statements
        .filter { [.table, .virtualTable, .view].contains($0.kind) && !$0.isInternal }
        .map { SchemaName($0.name) })
  }

  /// The objection to a statement, to be read after the name of its object (`calls the function
  /// load_extension`), or nil if there is none.
  package func objection(to statement: SchemaStatement) -> String? {
    guard let objection = anyObjection(to: statement) else { return nil }
    // Names in it may be of any length.
    return objection.count > 200 ? "\(objection.prefix(200))…" : objection
  }

  private func anyObjection(to statement: SchemaStatement) -> String? {
    // SQLite reads a text up to the first NUL.
    if statement.sql.utf8.contains(0) || statement.name.utf8.contains(0) {
      return "contains a NUL character"
    }
    if statement.isInternal {
      return SchemaStatement.internalTables.contains(statement.name) && statement.kind == .table
        ? nil : "has a name that SQLite reserves"
    }
    var reader = SQLTokenReader(statement.sql)
    guard reader.take("CREATE") else { return "does not begin with CREATE" }
    switch statement.kind {
    case .table: return table(&reader)
    case .virtualTable: return virtualTable(&reader)
    case .index: return index(&reader)
    case .view: return view(&reader)
    case .trigger: return trigger(&reader)
    }
  }

  /// Refuses a schema with a forbidden statement.
  ///
  /// - Parameters:
  ///   - statements: the whole schema.
  ///   - place: the place in the error.
  ///   - advice: the next step in the error; nil for none.
  /// - Throws: ``CofferError`` with the code `refused`.
  package static func require(
    _ statements: [SchemaStatement], place: String, advice: CofferError.Advice? = nil
  ) throws(CofferError) {
    let policy = SchemaPolicy(statements)
    for statement in statements {
      guard let objection = policy.objection(to: statement) else { continue }
      throw CofferError(
        .refused, path: place, item: statement.label,
        detail: "it \(objection); no Core Data store contains such a statement",
        advice: advice)
    }
  }

  // MARK: Kinds of statements

  private func index(_ reader: inout SQLTokenReader) -> String? {
    _ = reader.take("UNIQUE")
    guard reader.take("INDEX"), reader.takeName() != nil, reader.take("ON") else {
      return "does not create an index"
    }
    if let objection = takeTable(&reader) { return objection }
    guard reader.next?.isSign("(") ?? false else { return "does not create an index" }
    if reader.rest.count > Self.longestExpressions { return "has very long expressions" }
    return scan(reader.rest, SchemaFunctions.ofRow)
  }

  private func view(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("VIEW"), reader.takeName() != nil else { return "does not create a view" }
    if reader.next?.isSign("(") ?? false { _ = reader.takeParenthesis() }
    guard reader.take("AS"), ["SELECT", "VALUES", "WITH"].contains(reader.next?.keyword) else {
      return "does not create a view"
    }
    return scan(reader.rest, SchemaFunctions.scalar.union(SchemaFunctions.ofRows))
  }

  private func trigger(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("TRIGGER"), reader.takeName() != nil else {
      return "does not create a trigger"
    }
    while let token = reader.next, token.keyword != "ON" { reader.skip() }
    guard reader.take("ON") else { return "does not create a trigger" }
    if let objection = takeTable(&reader) { return objection }
    let functions = SchemaFunctions.scalar
      .union(SchemaFunctions.ofRows).union(SchemaFunctions.ofCoreData)
    let condition = reader.takeUpTo("BEGIN")
    guard let condition, reader.rest.last?.keyword == "END" else {
      return "does not create a trigger"
    }
    if let objection = scan(condition, functions) { return objection }
    for step in reader.rest.dropLast().split(whereSeparator: { $0.isSign(";") }) {
      guard let first = step.first?.keyword, Self.steps.contains(first) else {
        return "does more than change rows"
      }
      if let objection = scan(step, functions) { return objection }
    }
    return nil
  }

  /// The words that begin a step of a trigger.
  private static let steps: Set<String> = [
    "DELETE", "INSERT", "REPLACE", "SELECT", "UPDATE", "VALUES", "WITH",
  ]

  // MARK: Common rules

  func scan(_ tokens: some Collection<SQLToken>, _ functions: Set<String>) -> String? {
    var scan = SchemaExpressionScan(functions: functions, tables: tables)
    return scan.objection(to: tokens)
  }

  private func takeTable(_ reader: inout SQLTokenReader) -> String? {
    guard let name = reader.takeName() else { return "names no table" }
    return tables.contains(SchemaName(name))
      ? nil : "belongs to the table \(name), which the store does not have"
  }

  /// Keywords that begin a table constraint; none can be the name of a column.
  private static let tableConstraints: Set<String> = [
    "CHECK", "CONSTRAINT", "FOREIGN", "PRIMARY", "UNIQUE",
  ]

  /// Words that begin a column constraint, after the type.
  private static let columnConstraints: Set<String> = [
    "AS", "CHECK", "COLLATE", "CONSTRAINT", "DEFAULT", "GENERATED", "NOT", "NULL", "PRIMARY",
    "REFERENCES", "UNIQUE",
  ]

  /// The objection to the creation of a table, from its kind on.
  func table(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("TABLE"), reader.takeName() != nil else { return "does not create a table" }
    guard let body = reader.takeParenthesis() else {
      return reader.next?.keyword == "AS"
        ? "takes its rows from a query" : "does not create a table"
    }
    var length = 0
    for part in SQLTokenReader.list(body) {
      var piece = SQLTokenReader(part)
      if !Self.tableConstraints.contains(piece.next?.keyword ?? ""),
        let objection = column(&piece)
      {
        return objection
      }
      if piece.rest.contains(where: { ["AS", "CHECK"].contains($0.keyword) }) {
        length += piece.rest.count
        if length > Self.longestExpressions { return "has very long expressions" }
      }
      if let objection = scan(piece.rest, SchemaFunctions.ofRow) { return objection }
    }
    return options(reader.rest)
  }

  /// Takes the name and the type of a column.
  private func column(_ piece: inout SQLTokenReader) -> String? {
    guard piece.takeName() != nil else { return "has a column without a name" }
    while let token = piece.next, !Self.columnConstraints.contains(token.keyword) {
      if token.isSign("(") {
        let isLength =
          piece.takeParenthesis()?.allSatisfy {
            $0.kind == .number || ["+", "-", ",", "."].contains($0.text)
          } ?? false
        return isLength ? nil : "has a column with an invalid type"
      }
      guard piece.takeName() != nil else { return "has a column with an invalid type" }
    }
    return nil
  }

  /// The text after the columns.
  private func options(_ tokens: ArraySlice<SQLToken>) -> String? {
    let allowed: Set<[String]> = [
      [], ["STRICT"], ["WITHOUT", "ROWID"], ["STRICT", ",", "WITHOUT", "ROWID"],
      ["WITHOUT", "ROWID", ",", "STRICT"],
    ]
    let words = tokens.map { $0.kind == .word ? $0.keyword : $0.text }
    if words.contains(";") { return "contains more than one statement" }
    return allowed.contains(words) ? nil : "has something after its columns"
  }

  /// The modules for spatial search; their arguments are columns.
  private static let spatialModules: Set<String> = ["rtree", "rtree_i32", "geopoly"]
  /// The modules for full-text search; some of their arguments are options.
  private static let textModules: Set<String> = ["fts3", "fts4", "fts5"]
  /// The tokenizers that come with SQLite, Apple's included.
  private static let tokenizers: Set<String> = [
    "ascii", "icu", "porter", "simple", "trigram", "unicode61",
  ]
  /// Options that only determine how much is kept.
  private static let plainOptions: Set<String> = [
    "columnsize", "content_rowid", "contentless_delete", "contentless_unindexed", "detail",
    "languageid", "locale", "matchinfo", "notindexed", "order", "prefix", "tokendata",
  ]

  /// The objection to the creation of a virtual table, from `VIRTUAL` on.
  func virtualTable(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("VIRTUAL"), reader.take("TABLE"), reader.takeName() != nil,
      reader.take("USING"), let name = reader.takeName()
    else { return "does not create a virtual table" }
    let module = name.lowercased()
    guard Self.spatialModules.contains(module) || Self.textModules.contains(module) else {
      return "uses the module \(name)"
    }
    let arguments = reader.takeParenthesis()
    guard reader.rest.isEmpty else { return "has something after its arguments" }
    for argument in SQLTokenReader.list(arguments ?? []) {
      if argument.contains(where: { $0.isSign(";") || $0.isSign("(") }) {
        return "has an argument that is not a column"
      }
      guard Self.textModules.contains(module),
        let equals = argument.firstIndex(where: { $0.isSign("=") })
      else { continue }
      let key = argument[..<equals].map(\.text).joined(separator: " ").lowercased()
      let value = argument[(equals + 1)...].map(\.text).joined(separator: " ")
      if let objection = option(key, value) { return objection }
    }
    return nil
  }

  private func option(_ key: String, _ value: String) -> String? {
    switch key {
    case "content":
      return value.isEmpty || tables.contains(SchemaName(value))
        ? nil : "indexes the table \(value), which the store does not have"
    case "tokenize":
      let words = value.lowercased().split { $0 == " " || $0 == "'" || $0 == "\"" }
      // The tokenizer that porter builds on follows it.
      guard let first = words.first, Self.tokenizers.contains(String(first)) else {
        return "uses the tokenizer \(value)"
      }
      return nil
    case let key where Self.plainOptions.contains(key): return nil
    default: return "has the option \(key)"
    }
  }
}
