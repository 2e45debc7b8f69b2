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
    object.append("missingLogBytes", missingLogBytes, unless: 0)
    return .object(object)
  }

  /// Reads a document.
  ///
  /// - Throws: ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let node = DocumentNode(document, name: ArchiveEntryName.salvage)
    for element in try node.elements("tables") { tables.append(try Table(element)) }
    danglingCount = try node.int("danglingCount", default: 0)
    for element in try node.elements("dangling") { dangling.append(try Reference(element)) }
    files = try node.strings("files")
    isSchemaWhole = try node.flag("isSchemaWhole", default: true)
    missingTables = try node.strings("missingTables")
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
      .object(["key": .integer(value.key), "property": .string(value.property)])
    }
    return .object(object)
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    var rows: [SalvageDocument.Rows] = []
    for element in try node.elements("rows") { rows.append(try SalvageDocument.Rows(element)) }
    var values: [SalvageDocument.Value] = []
    for element in try node.elements("values") {
      values.append(
        SalvageDocument.Value(
          key: try element.required("key").integer(),
          property: try element.required("property").string()))
    }
    self.init(
      folder: try node.required("folder").string(), entityName: try node.string("entity"),
      readCount: try node.required("read").int(), lostCount: try node.required("lost").int(),
      isExact: try node.flag("isExact", default: true), rows: rows,
      lostValueCount: try node.int("lostValues", default: 0), values: values)
  }
}

extension SalvageDocument.Rows {
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
    var object: JSONObject = ["entity": .string(entityName)]
    object.append("key", key.map(JSONValue.integer))
    object.append("relationship", .string(relationship))
    object.append("destination", .integer(destination))
    return .object(object)
  }

  fileprivate init(_ node: DocumentNode) throws(DocumentError) {
    self.init(
      entityName: try node.required("entity").string(), key: try node.optional("key")?.integer(),
      relationship: try node.required("relationship").string(),
      destination: try node.required("destination").integer())
  }
}
