/// The definition of the store's database: `store/schema.json`.
package struct SchemaDocument: Sendable, Equatable {
  /// One statement of the schema.
  package struct Statement: Sendable, Equatable {
    /// The kind of the object: `table`, `virtual-table`, `index`, `trigger` or `view`.
    package var kind: String
    /// The name of the object that it creates.
    package var name: String
    /// The table that it belongs to.
    package var table: String
    /// The text, as the store has it.
    package var text: String

    /// Creates a statement of a schema.
    package init(kind: String, name: String, table: String, text: String) {
      self.kind = kind
      self.name = name
      self.table = table
      self.text = text
    }
  }

  /// The size of a page in bytes.
  package var pageSize: Int64
  /// The number of the auto-vacuum mode.
  package var autoVacuum: Int64
  /// The encoding of texts.
  package var encoding: String
  /// The journal mode: `wal` or `delete`.
  package var journalMode: String
  /// The application's number of its schema's version.
  package var userVersion: Int64
  /// The application's number of its file format.
  package var applicationID: Int64
  /// The statements, in the order in which the store lists them.
  package var statements: [Statement]

  /// Creates the document of a schema.
  package init(
    pageSize: Int64, autoVacuum: Int64, encoding: String, journalMode: String,
    userVersion: Int64, applicationID: Int64, statements: [Statement]
  ) {
    self.pageSize = pageSize
    self.autoVacuum = autoVacuum
    self.encoding = encoding
    self.journalMode = journalMode
    self.userVersion = userVersion
    self.applicationID = applicationID
    self.statements = statements
  }

  /// The document as JSON.
  package func encoded() -> JSONValue {
    .object([
      "pageSize": .integer(pageSize), "autoVacuum": .integer(autoVacuum),
      "encoding": .string(encoding), "journalMode": .string(journalMode),
      "userVersion": .integer(userVersion), "applicationID": .integer(applicationID),
      "statements": .array(
        statements.map {
          .object([
            "kind": .string($0.kind), "name": .string($0.name), "table": .string($0.table),
            "text": .string($0.text),
          ])
        }),
    ])
  }

  /// Reads a document; throws ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.schema)
    pageSize = try reader.required("pageSize").integer()
    autoVacuum = try reader.required("autoVacuum").integer()
    encoding = try reader.required("encoding").string()
    journalMode = try reader.required("journalMode").string()
    userVersion = try reader.required("userVersion").integer()
    applicationID = try reader.required("applicationID").integer()
    statements = []
    for statement in try reader.required("statements").elements() {
      statements.append(
        Statement(
          kind: try statement.required("kind").string(),
          name: try statement.required("name").string(),
          table: try statement.required("table").string(),
          text: try statement.required("text").string()))
    }
  }

  /// The reason why no store can have all of the statements; nil if one can.
  ///
  /// Triggers have names of their own; everything else shares its names, in either letter case.
  package var problem: String? {
    var names: Set<[UInt8]> = []
    for (position, statement) in statements.enumerated() {
      let space = statement.kind == "trigger" ? "trigger " : ""
      guard names.insert(Array(space.utf8) + foldedName(statement.name)).inserted else {
        return "statements[\(position)]: duplicate name"
      }
    }
    return nil
  }
}

/// A name as SQLite compares it: its bytes, with ASCII capitals turned to small letters.
///
/// Swift's own comparison takes differently composed accents for equal, which are different names.
func foldedName(_ name: String) -> [UInt8] {
  name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}
