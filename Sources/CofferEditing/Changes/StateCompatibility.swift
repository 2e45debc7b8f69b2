internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Whether keys alone identify the rows of two states.
enum StateCompatibility {
  /// Checks that two sources have the same model, schema, layout and entity numbers.
  static func require(_ first: some RowSource, _ second: some RowSource) throws(CofferError) {
    try require(
      LayoutDocument(entities: first.entities, tables: first.shapes), first.model, first.schema,
      LayoutDocument(entities: second.entities, tables: second.shapes), second.model,
      second.schema, path: second.path)
  }

  /// Checks that a store has the model, schema, layout and entity numbers of a change file.
  static func require(
    _ store: some RowSource, _ documents: ArchiveDocuments, path: String
  ) throws(CofferError) {
    try require(
      LayoutDocument(entities: store.entities, tables: store.shapes), store.model, store.schema,
      documents.layout, documents.model, documents.schema, path: path)
  }

  /// Checks that two change files have the same model, schema, layout and entity numbers.
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
    try require(model, otherModel, path: path)
    guard layout.entities == otherLayout.entities else {
      throw mismatch(path, "its entities have other numbers than on the other side")
    }
    if let name = difference(schema, otherSchema) {
      throw mismatch(path, "its schema differs from the other side's: \(name)")
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

  /// Checks that two sides have the same model, from whatever source.
  static func require(
    _ model: ManagedObjectModel, _ other: ManagedObjectModel, path: String
  ) throws(CofferError) {
    var model = model
    model.source = other.source
    guard model == other else {
      throw mismatch(path, "it has another managed object model than the other side")
    }
  }

  /// The error that changes of one side cannot be applied to the other.
  static func mismatch(_ path: String, _ detail: String) -> CofferError {
    CofferError(.modelMismatch, path: path, detail: detail, advice: .migrateFirst)
  }

  /// The name of a statement that only one schema has; nil if there is none.
  private static func difference(_ one: SchemaDocument, _ other: SchemaDocument) -> String? {
    func byName(_ schema: SchemaDocument) -> [Name: Name] {
      Dictionary(
        schema.statements.map { (Name("\($0.kind) \($0.name)"), Name($0.text)) }
      ) { first, _ in first }
    }
    let (left, right) = (byName(one), byName(other))
    return Set(left.keys).union(right.keys).sorted().first { left[$0] != right[$0] }?.description
  }

  /// The tables by name, regardless of their folders.
  private static func tables(_ layout: LayoutDocument) -> [Name: TableLayout] {
    Dictionary(
      layout.tables.map { table in
        var table = table
        table.folder = ""
        return (Name(table.storedName), table)
      }
    ) { first, _ in first }
  }
}
