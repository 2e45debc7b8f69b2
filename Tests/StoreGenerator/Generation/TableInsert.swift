internal import CoreDataModel

/// The statement that inserts a whole row into the table of an entity.
struct TableInsert {
  let statement: GeneratorStatement
  private let schema: StoreSchema
  private let names: [String]

  init(_ builder: SampleStoreBuilder, _ entity: Name) throws {
    schema = builder.schema
    let table = try schema.table(of: entity)
    names = table.columnNames
    let marks = names.map { _ in "?" }.joined(separator: ",")
    statement = try builder.database.prepare("INSERT INTO \(table.name) VALUES (\(marks))")
  }

  /// The parameter of an attribute, an element or a to-one relationship.
  func parameter(_ entity: Name, _ path: Name) throws -> Int {
    try parameter(ofColumn: schema.column(entity, path), "\(entity).\(path)")
  }

  /// The parameter with the entity number of a to-one relationship.
  func entityParameter(_ entity: Name, _ toOne: Name) throws -> Int {
    try parameter(ofColumn: schema.entityColumn(entity, toOne), "\(entity).\(toOne)")
  }

  /// The parameter with the order key of a to-one relationship.
  func orderParameter(_ entity: Name, _ toOne: Name) throws -> Int {
    try parameter(ofColumn: schema.orderColumn(entity, toOne), "\(entity).\(toOne)")
  }

  /// The parameter of a column by its name.
  func parameter(ofColumn column: String?, _ description: String) throws -> Int {
    guard let column, let index = names.firstIndex(of: column) else {
      throw GeneratorError("no column for \(description)")
    }
    return index + 1
  }

  /// Binds primary key, entity and version.
  func bind(key: Int, entity: Int, version: Int) {
    statement.bind(key, at: 1)
    statement.bind(entity, at: 2)
    statement.bind(version, at: 3)
  }
}
