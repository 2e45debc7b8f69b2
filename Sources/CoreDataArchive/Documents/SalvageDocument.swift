package import CoreDataLayout
package import CoreDataModel

/// The losses of an export of a damaged store: `salvage.json`, after all rows and files.
///
/// Only an archive that lacks something has it.
package struct SalvageDocument: Sendable, Equatable {
  /// The maximum number of elements in each list; the rest is only counted.
  package static let listLimit = 10_000

  /// A value that was lost from a row.
  package struct Value: Sendable, Equatable {
    /// The key of the row.
    package var key: Int64
    /// The property, or the column if it belongs to none.
    package var property: Name

    /// Creates a lost value.
    package init(key: Int64, property: Name) {
      self.key = key
      self.property = property
    }
  }

  /// A table that lost something.
  package struct Table: Sendable, Equatable {
    /// The folder of its entries.
    package var folder: String
    /// The entity of its objects, or of its relationship; nil for others.
    package var entityName: Name?
    /// The number of readable rows.
    package var readCount: Int
    /// The number of lost rows: exact, or an upper bound.
    package var lostCount: Int
    /// Whether ``lostCount`` is exact.
    package var isExact: Bool
    /// The rows that were lost.
    package var rows: [LostRows]
    /// The number of values lost from readable rows.
    package var lostValueCount: Int
    /// The values that were lost.
    package var values: [Value]

    /// Creates a table with losses.
    package init(
      folder: String, entityName: Name?, readCount: Int, lostCount: Int, isExact: Bool,
      rows: [LostRows], lostValueCount: Int, values: [Value]
    ) {
      self.folder = folder
      self.entityName = entityName
      self.readCount = readCount
      self.lostCount = lostCount
      self.isExact = isExact
      self.rows = rows
      self.lostValueCount = lostValueCount
      self.values = values
    }
  }

  /// A reference to an object that was lost.
  package struct Reference: Sendable, Equatable {
    /// The entity of the object that refers, or of the relationship.
    package var entityName: Name
    /// Its primary key; nil if it has none.
    package var key: Int64?
    /// The relationship.
    package var relationship: Name
    /// The primary key of the lost object.
    package var destination: Int64

    /// Creates a reference to a lost object.
    package init(entityName: Name, key: Int64?, relationship: Name, destination: Int64) {
      self.entityName = entityName
      self.key = key
      self.relationship = relationship
      self.destination = destination
    }
  }

  /// The tables that lost something, in the order of the archive.
  package var tables: [Table] = []
  /// The number of references to lost objects.
  package var danglingCount = 0
  /// The references to lost objects.
  package var dangling: [Reference] = []
  /// The files of external binary data that could not be read.
  package var files: [String] = []
  /// Whether the whole schema is readable.
  ///
  /// Otherwise, entire tables may be missing.
  package var isSchemaWhole = true
  /// The tables of the model that are missing for that reason: the root entity, or entity and
  /// relationship separated by a dot.
  package var missingTables: [String] = []
  /// The statements of the schema that no import could run, each with the reason: they are left out,
  /// or of a table only its columns are kept.
  package var changedStatements: [String] = []
  /// The number of missing bytes of the write-ahead log.
  package var missingLogBytes = 0

  /// A document without losses.
  package init() {}

  /// Whether nothing was lost.
  package var isEmpty: Bool {
    tables.isEmpty && files.isEmpty && missingLogBytes == 0 && isSchemaWhole
      && changedStatements.isEmpty
  }
  /// The number of lost rows, exact or an upper bound.
  package var lostRowCount: Int { Self.sum(tables.map(\.lostCount)) }
  /// Whether ``lostRowCount`` is exact.
  package var isExact: Bool { isSchemaWhole && tables.allSatisfy(\.isExact) }
  /// The number of values lost from readable rows.
  package var lostValueCount: Int { Self.sum(tables.map(\.lostValueCount)) }
  /// The number of tables that lost all their rows or are missing entirely.
  package var lostTableCount: Int {
    tables.count { $0.readCount == 0 && $0.hasLostRows } + missingTables.count
  }

  /// Adds numbers that may come from a file.
  private static func sum(_ numbers: [Int]) -> Int {
    numbers.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
  }
}

extension SalvageDocument.Table {
  /// Whether rows were lost.
  package var hasLostRows: Bool { lostCount > 0 || !isExact }
}

extension SalvageDocument {
  /// The document as JSON.
  package func encoded() -> JSONValue {
    var object: JSONObject = ["salvaged": .bool(true)]
    object.append("tables", .array(tables.map(\.encoded)))
    object.append("danglingCount", danglingCount, unless: 0)
    object.append("dangling", Array(dangling.prefix(Self.listLimit))) { $0.encoded }
    object.append("files", Array(files.prefix(Self.listLimit))) { .string($0) }
    object.append("isSchemaWhole", isSchemaWhole, unless: true)
    object.append("missingTables", missingTables) { .string($0) }
    object.append("changedStatements", Array(changedStatements.prefix(Self.listLimit))) {
      .string($0)
    }
    object.append("missingLogBytes", missingLogBytes, unless: 0)
    return .object(object)
  }

  /// Reads a document; throws ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let node = DocumentNode(document, name: ArchiveEntryName.salvage)
    for element in try node.elements("tables") { tables.append(try Table(element)) }
    danglingCount = try node.int("danglingCount", default: 0)
    for element in try node.elements("dangling") { dangling.append(try Reference(element)) }
    files = try node.strings("files")
    isSchemaWhole = try node.flag("isSchemaWhole", default: true)
    missingTables = try node.strings("missingTables")
    changedStatements = try node.strings("changedStatements")
    missingLogBytes = try node.int("missingLogBytes", default: 0)
  }
}

extension SalvageDocument.Table {
  fileprivate var encoded: JSONValue {
    var object: JSONObject = ["folder": .string(folder)]
    object.append("entity", entityName)
    object.append("read", .integer(Int64(readCount)))
    object.append("lost", .integer(Int64(lostCount)))
    object.append("isExact", isExact, unless: true)
    object.append("rows", Array(rows.prefix(SalvageDocument.listLimit))) { $0.encoded }
    object.append("lostValues", lostValueCount, unless: 0)
    object.append("values", Array(values.prefix(SalvageDocument.listLimit))) { value in
      .object(["key": .integer(value.key), "property": .string(value.property.text)])
    }
    return .object(object)
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    var rows: [LostRows] = []
    for element in try node.elements("rows") { rows.append(try LostRows(element)) }
    var values: [SalvageDocument.Value] = []
    for element in try node.elements("values") {
      values.append(
        SalvageDocument.Value(
          key: try element.required("key").integer(),
          property: try element.required("property").name()))
    }
    self.init(
      folder: try node.required("folder").string(), entityName: try node.name("entity"),
      readCount: try node.required("read").int(), lostCount: try node.required("lost").int(),
      isExact: try node.flag("isExact", default: true), rows: rows,
      lostValueCount: try node.int("lostValues", default: 0), values: values)
  }
}

extension LostRows {
  fileprivate var encoded: JSONValue {
    var object: JSONObject = ["first": .integer(first)]
    object.append("last", last.map(JSONValue.integer))
    object.append("isExact", isExact, unless: true)
    return .object(object)
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    self.init(
      first: try node.required("first").integer(), last: try node.optional("last")?.integer(),
      isExact: try node.flag("isExact", default: true))
  }
}

extension SalvageDocument.Reference {
  fileprivate var encoded: JSONValue {
    var object: JSONObject = ["entity": .string(entityName.text)]
    object.append("key", key.map(JSONValue.integer))
    object.append("relationship", .string(relationship.text))
    object.append("destination", .integer(destination))
    return .object(object)
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    self.init(
      entityName: try node.required("entity").name(), key: try node.optional("key")?.integer(),
      relationship: try node.required("relationship").name(),
      destination: try node.required("destination").integer())
  }
}
