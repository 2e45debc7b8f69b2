internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// An R-tree that Core Data maintains for a table: the coordinates of its objects as rectangles.
///
/// The virtual table has no content itself. Its nodes, and the node number of each entry, are in
/// two tables that stores and archives both have. Source: store-format, section 5.7;
/// <https://sqlite.org/rtree.html>.
struct SpatialIndex {
  /// Why an index cannot be checked.
  enum Problem: Error {
    /// The store has no such index.
    case absent
    /// Its form is not Core Data's.
    case unknownForm
    /// A table with its content is missing.
    case incomplete
  }

  /// The entity that declares the attribute.
  let entityName: Name
  let attributeName: Name
  /// The table of the objects.
  ///
  /// Each of its rows has an entry.
  let table: VerifiedTable
  let columns: [Int]
  /// The table of nodes, with the columns for number and content.
  let nodes: (table: VerifiedTable, number: Int, content: Int)
  /// The table with the node of each entry, with the columns for both.
  let places: (table: VerifiedTable, key: Int, node: Int)

  init(
    _ attribute: AttributeDescription, of entity: EntityDescription,
    _ context: VerificationContext
  ) throws(Problem) {
    let name = StoredName.spatialIndex(entity: entity.name, attribute: attribute.name)
    let statement = context.subject.schema.statements.first {
      $0.kind == SchemaStatement.Kind.virtualTable.rawValue
        && SchemaName($0.name) == SchemaName(name)
    }
    guard let statement else { throw .absent }
    guard let components = attribute.spatialComponents,
      let table = context.table(ofEntity: entity.name)
    else { throw .unknownForm }
    let columns = components.compactMap {
      table.attribute($0, of: entity.name, context.subject.model)?.column
    }
    let names = columns.map { table.shape.fields[$0].storedName }
    guard columns.count == components.count, Self.isTree(statement.text, over: names) else {
      throw .unknownForm
    }
    guard let nodes = Self.shadow("_node", of: statement.name, ["nodeno", "data"], context),
      let places = Self.shadow("_rowid", of: statement.name, ["rowid", "nodeno"], context)
    else { throw .incomplete }
    entityName = entity.name
    attributeName = attribute.name
    self.table = table
    self.columns = columns
    self.nodes = (nodes.table, nodes.columns[0], nodes.columns[1])
    self.places = (places.table, places.columns[0], places.columns[1])
  }

  /// Whether an SQL text creates an R-tree of floating point numbers over these columns in this
  /// order.
  private static func isTree(_ text: String, over names: [String]) -> Bool {
    let words = text.uppercased().split { " \t\n(),\"".contains($0) }
    guard let using = words.firstIndex(of: "USING"), words.indices.contains(using + 1),
      words[using + 1] == "RTREE"
    else { return false }
    let bounds = words[(using + 2)...].filter { $0.hasSuffix("_MIN") || $0.hasSuffix("_MAX") }
    return bounds.map(String.init)
      == names.flatMap { ["\($0.uppercased())_MIN", "\($0.uppercased())_MAX"] }
  }

  private static func shadow(
    _ ending: String, of name: String, _ columns: [String], _ context: VerificationContext
  ) -> (table: VerifiedTable, columns: [Int])? {
    let wanted = SchemaName(name + ending)
    guard let table = context.tables.first(where: { SchemaName($0.shape.storedName) == wanted })
    else { return nil }
    let found = columns.compactMap { table.column(named: $0) }
    return found.count == columns.count ? (table, found) : nil
  }
}
