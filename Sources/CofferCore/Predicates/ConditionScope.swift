internal import CoreDataModel

/// The context that a condition is evaluated in: its objects, and the store with the objects that they lead to.
///
/// Objects of an archive cannot be read one by one, so conditions that need other objects are not evaluated there.
package final class ConditionScope {
  /// A table of objects that returns one object after another without invalidating the previous ones.
  private struct Place: Hashable {
    let level: Int
    let entity: Name
  }

  private let source: StoreRowSource?
  /// The tested object, then the current destination of each collection.
  private var objects: [ObjectRow?] = [nil]
  /// The tables; nil for entities without one.
  private var tables: [Place: KeyedObjects?] = [:]
  /// The destinations of to-many relationships, by the names of entity and relationship.
  private var destinations: [[Name]: DestinationKeys] = [:]

  /// The objects of a source; predicates can look up those of a store only.
  package init(_ source: some RowSource) { self.source = source as? StoreRowSource }

  /// The object of a level, with the tested object in the first level; nil if there is none.
  subscript(level: Int) -> ObjectRow? {
    get { level < objects.count ? objects[level] : nil }
    set {
      while objects.count <= level { objects.append(nil) }
      objects[level] = newValue
    }
  }

  /// The object of a key; nil if it does not exist.
  ///
  /// It is valid until the next call for the same entity and level; level 0 is for objects on the way to
  /// others.
  func object(_ key: Int64, of entity: Name, level: Int = 0) throws -> ObjectRow? {
    let place = Place(level: level, entity: entity)
    if let table = tables[place] { return try table?.object(key) }
    let table = try table(of: entity)
    tables[place] = .some(table)
    return try table?.object(key)
  }

  private func table(of entity: Name) throws -> KeyedObjects? {
    guard let source, let shape = source.table(of: entity),
      let rows = try source.singleRows(of: shape)
    else { return nil }
    return KeyedObjects(rows, ObjectColumns(shape, source.entities))
  }

  // MARK: Collections

  /// Makes each object of a collection the one of its level, in ascending order of keys.
  ///
  /// A destination that is not in the store is left out. The first call for a relationship reads the
  /// whole of one table; the others take the time of the objects alone.
  ///
  /// The closure returns false to stop.
  func forEach(in collection: ConditionCollection, _ body: () throws -> Bool) throws {
    let entity = collection.followed.relationship.destinationName
    for key in try keys(of: collection) {
      self[collection.level] = try object(key, of: entity, level: collection.level)
      guard self[collection.level] != nil, try collection.filter?.holds(in: self) ?? true else {
        continue
      }
      guard try body() else { return }
    }
  }

  func count(_ collection: ConditionCollection) throws -> Int {
    if collection.filter == nil { return try keys(of: collection).count }
    var count = 0
    try forEach(in: collection) {
      count += 1
      return true
    }
    return count
  }

  private func keys(of collection: ConditionCollection) throws -> ArraySlice<Int64> {
    var owner = self[collection.start]
    for step in collection.steps {
      owner = try owner?.destination(of: step).flatMap { id in
        try object(id.primaryKey, of: step.destinationName)
      }
    }
    guard let source, let owner else { return [] }
    // Objects without the relationship have no destinations, whatever refers to them.
    let (entity, declaring) = (owner.id.entityName, collection.followed.declaredBy)
    guard entity == declaring || source.model.isEntity(entity, kindOf: declaring) else { return [] }
    let keys = try known(collection, source).keys(of: owner.id.primaryKey)
    switch collection.position {
    case nil: return keys
    case .last: return keys.suffix(1)
    case .index(let index):
      return keys.dropFirst(Int(clamping: max(index, 0))).prefix(index < 0 ? 0 : 1)
    }
  }

  /// All destinations of a relationship, in their order if only one counts.
  private func known(
    _ collection: ConditionCollection, _ source: StoreRowSource
  ) throws -> DestinationKeys {
    let isOrdered = collection.position != nil
    let name = collection.followed.name + (isOrdered ? ["in order"] : [])
    if let known = destinations[name] { return known }
    let read = try DestinationKeys(collection.followed, in: source, inOrder: isOrdered)
    destinations[name] = read
    return read
  }
}

/// The objects of a table, one by one by their keys.
private final class KeyedObjects {
  private let rows: StoreRows
  private let columns: ObjectColumns
  /// The last requested key, and its object.
  private var last: (key: Int64, object: ObjectRow?)?

  init(_ rows: StoreRows, _ columns: ObjectColumns) {
    self.rows = rows
    self.columns = columns
  }

  /// The object of a key, valid until the next call.
  func object(_ key: Int64) throws -> ObjectRow? {
    if let last, last.key == key { return last.object }
    last = nil
    let object = try rows.move(to: key) ? columns.object(rows) : nil
    last = (key, object)
    return object
  }
}
