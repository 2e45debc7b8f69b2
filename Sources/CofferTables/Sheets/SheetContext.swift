internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The shared state of all tables of an import: the store that is built, and its keys.
final class SheetContext {
  let database: SQLiteDatabase
  /// The meaning of its tables.
  let layout: StoreLayout
  /// The tables and relationships.
  let schema: EditedSchema
  /// How tables name the objects that they refer to.
  let keys: SheetKeys
  /// Links the objects after all were inserted.
  let linking: ObjectLinking
  let keyName: String
  /// The form of dates; nil for ISO 8601.
  let dateFormat: Instant.Format?
  /// The store into which the tables are merged; nil for a new store.
  let target: SheetTarget?
  /// Takes over the files that tables name.
  let files: SheetExternalFiles
  /// The highest primary key by table of objects.
  var highestKeys: [Int64]
  /// The columns of the store that tables have, by table of objects.
  var givenColumns: [Set<Int>]
  /// The numbers of the keys that a text with several of them has named.
  var keysInTexts: Set<Int> = []
  /// The lists of to-many relationships that tables have.
  private(set) var lists: [ListTarget] = []

  /// The lists of a to-many relationship.
  struct ListTarget: Equatable {
    /// Where the relationship is stored.
    enum Storage: Equatable {
      /// In the reference of that index, of the destinations.
      case reference(Int)
      /// In pairs: the index of their table, and the end of the objects with the lists.
      case pairs(Int, end: Int)
    }

    var name: Name
    var storage: Storage
    /// The way in which the lists name their members.
    var naming: SheetKeys.Naming
  }

  init(
    _ database: SQLiteDatabase, _ layout: StoreLayout, _ options: SheetOptions,
    files: SheetExternalFiles, for target: SheetTarget? = nil
  ) throws(CofferError) {
    self.database = database
    self.layout = layout
    self.files = files
    self.target = target
    schema = EditedSchema(layout)
    linking = ObjectLinking(database, schema)
    keys = try SheetKeys(options.keyNames, layout.model, linking)
    keyName = DataExportPlan.keyName(layout.model)
    dateFormat = options.dateFormat
    highestKeys = Array(repeating: 0, count: schema.tables.count)
    givenColumns = Array(repeating: [], count: schema.tables.count)
    guard let target else { return }
    // New objects must have no key of the store.
    for (index, table) in schema.tables.enumerated() {
      let highest = try database.value(
        "SELECT max(\(StoredName.primaryKey)) FROM \(target.source).\(quotedIdentifier(table.tableName))"
      )
      highestKeys[index] = max(0, highest?.integer ?? 0)
    }
  }

  var model: ManagedObjectModel { layout.model }

  /// The number of the lists of a relationship; a new one if there are none yet.
  func number(of target: ListTarget) throws(CofferError) -> Int {
    if let known = lists.firstIndex(of: target) { return known }
    lists.append(target)
    try linking.createLists(lists.count - 1)
    return lists.count - 1
  }

  /// The lists of a relationship of an entity; nil if it is not to-many, or not stored.
  func list(_ name: Name, of entity: Name, key path: Name?) throws(CofferError) -> ListTarget? {
    guard let (declarer, relationship) = model.relationship(name, of: entity),
      relationship.isToMany, let storage = storage(of: relationship, declarer)
    else { return nil }
    return ListTarget(
      name: name, storage: storage,
      naming: try naming(of: relationship.destinationName, key: path))
  }

  private func storage(
    of relationship: RelationshipDescription, _ declarer: Name
  ) -> ListTarget.Storage? {
    let reference = schema.references.firstIndex { reference in
      guard let inverse = reference.inverse else { return false }
      return inverse.relationship.isToMany && inverse.entity == declarer
        && inverse.relationship.name == relationship.name
    }
    if let reference { return .reference(reference) }
    let property = PropertyReference(entity: declarer, property: relationship.name)
    for (index, pairs) in schema.pairs.enumerated() {
      if let end = pairs.ends.firstIndex(where: { $0.property == property }) {
        return .pairs(index, end: end)
      }
    }
    return nil
  }

  /// How a column names objects of an entity, whose key it may name too.
  func naming(of entity: Name, key path: Name?) throws(CofferError) -> SheetKeys.Naming {
    guard let path else { return keys.naming(of: entity) }
    if path == Name(keyName) { return .primaryKey }
    return .key(try keys.number(path, of: entity))
  }

  /// The value that a key uses to name an object, in the form that the store keeps until the
  /// references are set.
  func reference(
    _ value: SheetValue, _ naming: SheetKeys.Naming, _ values: SheetValues
  ) throws(SheetValueProblem) -> SheetValue {
    guard case .key(let number) = naming else { return .integer(try values.key(value)) }
    let key = keys.keys[number]
    guard key.column != nil else { return try identifier(value, values) }
    let stored = try values.stored(value, ValueForm(key.type, isExternal: false), key.type)
    if case .text(let range) = stored { return .blob(range) }
    return stored
  }

  /// The value of a column that is a key and no property of the model: a whole number, or the bytes of a
  /// text.
  func identifier(_ value: SheetValue, _ values: SheetValues) throws(SheetValueProblem)
    -> SheetValue
  {
    switch value {
    case .integer: return value
    case .text(let range), .blob(let range): return values.canonicalNumber(range) ?? .blob(range)
    default: throw SheetValueProblem(detail: "it is neither a text nor a whole number")
    }
  }
}
