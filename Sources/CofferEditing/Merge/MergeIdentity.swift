internal import CofferComparison
internal import CofferCore
internal import CofferTables
internal import CoreDataModel
internal import CoreDataStore

/// The correspondence between the objects of the store and the other store.
///
/// With a base, objects that the base can have had are matched by primary key. Two copies of a store
/// assign the same new key to different objects, so above the base's counter, and without a base,
/// objects are matched by rules.
final class MergeIdentity {
  private let store: MergeSide
  private let other: MergeSide
  private let copy: ObjectLookup
  private let objects: MatchedObjects
  /// The counters of the base; nil without one.
  private let limits: [Int64]?
  private let matchesByObjectID: Bool
  /// The numbers of the entities whose objects a rule identifies.
  private let ruled: Set<Int64>
  /// By table: its index among the tables of the other source.
  private let places: [Int?]
  /// By table: its index among the tables of the store's source.
  private let ownPlaces: [Int?]

  /// The keys of objects that were added to the copy, by table and key in the other store.
  private static let added = "temp.coffer_added"

  init(
    _ store: MergeSide, _ other: MergeSide, base: MergeSide?,
    _ matched: (objects: MatchedObjects, entities: [EntityMatching]), in database: SQLiteDatabase,
    matchesByObjectID: Bool
  ) throws(CofferError) {
    self.store = store
    self.other = other
    self.matchesByObjectID = matchesByObjectID
    objects = matched.objects
    limits = base?.counters
    copy = ObjectLookup(database, store.schema)
    ruled = Set(
      matched.entities.filter { $0.rule != .objectID }.compactMap {
        store.store.layout.numbering.number(of: $0.entityName)
      })
    places = other.places
    ownPlaces = store.places
    try database.run(
      "CREATE TABLE \(Self.added) (t INTEGER, o INTEGER, s INTEGER, PRIMARY KEY (t, o)) WITHOUT ROWID"
    )
  }

  /// Whether the base can have had an object.
  func isOld(_ object: StoredObject) -> Bool {
    guard let limits else { return false }
    return object.key <= limits[object.table]
  }

  /// The object of the store, which may no longer exist if the base had it; nil if the store never had
  /// the object.
  func counterpart(of object: StoredObject) throws -> StoredObject? {
    if let stated = other.stated, let known = try stated.known(object) { return known }
    if isOld(object) { return object }
    if limits == nil, matchesByObjectID { return try store.lookup.contains(object) ? object : nil }
    guard let place = places[object.table], try hasRule(object, in: other) else { return nil }
    guard let key = try objects.counterpart(of: object.key, in: place, on: .second) else {
      return nil
    }
    let found = StoredObject(table: object.table, key: key)
    return try !isOld(found) && store.lookup.contains(found) ? found : nil
  }

  /// The key that an added object keeps, so that it is the same object in the next merge; nil for a new key.
  func keptKey(of object: StoredObject) -> Int64? {
    limits == nil && matchesByObjectID && other.stated == nil ? object.key : nil
  }

  /// Whether an object of the store is new since the base, and the other store has no such object.
  func isOnlyOfStore(_ object: StoredObject) throws -> Bool {
    guard !isOld(object), let place = ownPlaces[object.table] else { return false }
    guard try hasRule(object, in: store) else { return true }
    guard let key = try objects.counterpart(of: object.key, in: place, on: .first) else {
      return true
    }
    return try counterpart(of: StoredObject(table: object.table, key: key)) != object
  }

  /// Whether an object of the other store is new since the base, and the store has no such object.
  func isOnlyOfOther(_ object: StoredObject) throws -> Bool {
    try !isOld(object) && counterpart(of: object) == nil
  }

  private func hasRule(_ object: StoredObject, in side: MergeSide) throws(CofferError) -> Bool {
    let entity = try side.lookup.entityNumber(of: object)
    return entity.map { ruled.contains($0) } ?? false
  }

  func add(_ key: Int64, for object: StoredObject) throws(CofferError) {
    try copy.statements.run(
      "INSERT OR REPLACE INTO \(Self.added) VALUES (?, ?, ?)", .integer(Int64(object.table)),
      .integer(object.key), .integer(key))
  }

  /// The object of the other store that was added to the copy as this one; nil if it was not added.
  func origin(of object: StoredObject) throws(CofferError) -> StoredObject? {
    try copy.statements.row(
      "SELECT o FROM \(Self.added) WHERE t = ? AND s = ?", .integer(Int64(object.table)),
      .integer(object.key))?[0].integer.map { StoredObject(table: object.table, key: $0) }
  }

  /// The object in the copy; nil if it has none.
  func present(_ object: StoredObject) throws -> StoredObject? {
    let added = try copy.statements.row(
      "SELECT s FROM \(Self.added) WHERE t = ? AND o = ?", .integer(Int64(object.table)),
      .integer(object.key))?[0].integer
    let found =
      try added.map { StoredObject(table: object.table, key: $0) }
      ?? counterpart(of: object)
    guard let found else { return nil }
    return try copy.contains(found) ? found : nil
  }

  /// Checks that the objects of each entity that both stores have can be matched.
  ///
  /// - Throws: ``CofferError`` with `refused` for an entity without a rule.
  func requireRules(_ entities: [EntityMatching]) throws(CofferError) {
    guard limits == nil, !matchesByObjectID else { return }
    var names: [String] = []
    for entity in entities where entity.rule == .objectID {
      if try store.hasObjects(of: entity.entityName), try other.hasObjects(of: entity.entityName) {
        names.append(entity.entityName.text)
      }
    }
    guard let first = names.first else { return }
    throw CofferError(
      .refused, path: other.store.path,
      detail: "nothing identifies the objects that both stores have, of "
        + names.joined(separator: ", "),
      advice: .identifyObjects(first))
  }
}

extension MergeSide {
  /// By table of the source: the counter of a base; 0 where it has no objects.
  func limits(of base: MergeSide) -> [Int64] {
    var limits = [Int64](repeating: 0, count: source.shapes.count)
    for (place, counter) in zip(places, base.counters) {
      if let place { limits[place] = counter }
    }
    return limits
  }

  /// Whether there are objects of exactly this entity.
  fileprivate func hasObjects(of entity: Name) throws(CofferError) -> Bool {
    guard let table = schema.table(of: entity),
      let number = store.layout.numbering.number(of: entity)
    else { return false }
    if let stated { return try stated.hasObjects(of: number, in: table) }
    return try lookup.hasObjects(of: number, in: table)
  }
}
