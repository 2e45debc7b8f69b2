internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The keys other than primary keys that records of tables use to name objects.
///
/// A key is the value of an attribute of an entity's objects, or of a column of their tables that is
/// not a property of the model.
final class SheetKeys {
  struct Key {
    /// The entity whose objects have the key, including subentities.
    var entity: Name
    /// The name of the attribute or of the column.
    var path: Name
    /// The column of the attribute in the table of its objects; nil for a column that is no property.
    var column: Int?
    /// The type of the attribute; a text for a column that is no property.
    var type: AttributeType
    /// Whether any table has the column.
    var isGiven = false
  }

  /// The way in which a reference names its destination.
  enum Naming: Equatable {
    case primaryKey
    case key(Int)
  }

  /// The kinds of keys; their numbers are the numbers of their temporary tables.
  private(set) var keys: [Key] = []
  /// The key that each reference uses for its destinations, once a table has it.
  private(set) var references: [Int: Naming] = [:]
  private let model: ManagedObjectModel
  private let schema: EditedSchema
  private let linking: ObjectLinking
  private var named: [Name: Int] = [:]

  init(
    _ names: [Name: Name], _ model: ManagedObjectModel, _ linking: ObjectLinking
  ) throws(CofferError) {
    self.model = model
    self.linking = linking
    schema = linking.schema
    for (entity, path) in names.sorted(by: { $0.key < $1.key }) {
      guard model[entity] != nil else {
        throw CofferError(
          .noSuchEntity, detail: entity.text,
          advice: .chooseEntity(model.entities.map(\.name)))
      }
      named[entity] = try number(path, of: entity)
    }
  }

  /// How references to an entity name their destinations where the column does not say.
  func naming(of entity: Name) -> Naming {
    let lineage = model.lineage(of: entity).reversed()
    return lineage.lazy.compactMap { self.named[$0.name] }.first.map(Naming.key)
      ?? .primaryKey
  }

  /// The number of the key that is a column of an entity's tables and no property; nil for others.
  func identifier(_ column: Name, of entity: Name) -> Int? {
    let lineage = Set(model.lineage(of: entity).map(\.name))
    return keys.firstIndex {
      $0.column == nil && $0.path == column && lineage.contains($0.entity)
    }
  }

  /// Whether the caller asks for a key.
  func isNamed(_ number: Int) -> Bool { named.values.contains(number) }

  /// Notes that a table has the column of a key.
  func markGiven(_ number: Int) { keys[number].isGiven = true }

  /// The number of a key; a new one if there is none.
  func number(_ path: Name, of entity: Name) throws(CofferError) -> Int {
    if let known = keys.firstIndex(where: {
      $0.entity == entity && $0.path == path
    }) {
      return known
    }
    let lineage = Set(model.lineage(of: entity).map(\.name))
    var key = Key(entity: entity, path: path, column: nil, type: .string)
    if let index = schema.table(of: entity) {
      for (column, field) in schema.tables[index].columns.enumerated() {
        guard case .attribute(let own, let type, false, let declarer) = field.role,
          lineage.contains(declarer), Name(path: own) == path
        else { continue }
        (key.column, key.type) = (column, type)
      }
    }
    keys.append(key)
    try linking.createKeys(keys.count - 1)
    return keys.count - 1
  }

  /// Records the way in which a table names the destinations of a reference.
  ///
  /// - Returns: false if another table names them in another way.
  func note(_ naming: Naming, of reference: Int) -> Bool {
    if let known = references[reference] { return known == naming }
    references[reference] = naming
    return true
  }
}
