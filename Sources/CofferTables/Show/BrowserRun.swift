package import CofferCore
internal import CoreDataModel

/// One query from the first row to the last object.
package struct BrowserRun<Source: RowSource> {
  /// The number of objects that are followed and shown at once.
  private let batchSize = 200

  private let source: Source
  let query: ObjectQuery
  private let condition: ObjectCondition?
  private let scope: ConditionScope
  private let follower: RelationshipFollower<Source>
  private let counts: DestinationCounts<Source>
  private let root: Name
  /// The names of the entities whose objects are requested.
  private let wanted: Set<Name>

  package init(_ source: Source, _ asked: ObjectQuery) throws {
    self.source = source
    let model = source.model
    var query = asked
    if model[query.entityName] == nil {
      let lowercase = query.entityName.text.lowercased()
      let similar = model.entities.filter { $0.name.text.lowercased() == lowercase }
      if similar.count == 1 { query.entityName = similar[0].name }
    }
    self.query = query
    if let uuid = query.storeUUID, try source.metadata().uuid?.uppercased() != uuid.uppercased() {
      throw CofferError(
        .noSuchObject, path: source.path, detail: "the URI names another store, \(uuid)")
    }
    guard let root = model.root(of: query.entityName)?.name else {
      throw CofferError(
        .noSuchEntity, path: source.path, detail: query.entityName.text,
        advice: .chooseEntity(model.entities.map(\.name)))
    }
    self.root = root
    wanted = Set(model.tree(of: query.entityName).map(\.name))
    condition = try query.condition.map { text throws(CofferError) in
      try ObjectCondition(text, of: query.entityName, in: model, path: source.path)
    }
    scope = ConditionScope(source)
    follower = try RelationshipFollower(source, query)
    counts = DestinationCounts(source)
  }

  /// Whether the objects can be found: some conditions need random access to objects, which an archive
  /// does not have.
  var isPossible: Bool { source.kind == .store || condition?.needsOtherObjects != true }

  /// Finds the objects.
  ///
  /// - Parameter found: receives each object, in the order of the query.
  /// - Returns: the number of objects.
  /// - Throws: errors from reading and the receiver; ``CofferError``: `no-such-object`,
  ///   `no-such-property`.
  package func complete(_ found: (ShownObject) throws -> Void) throws -> Int {
    let columns = try query.propertyNames.map { try property($0, mayBeCounted: true) }
    let shown = columns.map(\.neededName)
    let keys = try query.sortKeys.map { key in
      (property: try property(key.property), isDescending: key.isDescending)
    }
    // Properties that only sort are read as well, and left out later.
    let needed = shown.isEmpty ? nil : Set(shown + keys.map(\.property.neededName))
    let counted = Self.counted(columns)
    let countsAll = shown.isEmpty && query.countsDestinations && source.kind == .store
    var count = 0
    var batch: [ShownObject] = []
    func show() throws {
      for index in batch.indices {
        if countsAll || !counted.isEmpty {
          try counts.add(countsAll ? nil : counted, to: &batch[index])
        }
        if !shown.isEmpty { batch[index].keepOnly(shown) }
        if !query.recognizesContent { batch[index].leaveUnrecognized() }
      }
      try follower.follow(&batch)
      try source.requireUnchanged()
      for object in batch { try found(object) }
      count += batch.count
      batch.removeAll()
    }
    var sorted = SortedObjects(keys, limit: query.limit)
    let sorting = Self.counted(keys.map(\.property))
    try visit { object in
      var object = ShownObject(object, source.model, only: needed)
      if !sorting.isEmpty { try counts.add(sorting, to: &object) }
      if !keys.isEmpty {
        sorted.add(object)
        return true
      }
      batch.append(object)
      let isLast = query.primaryKey != nil || count + batch.count == query.limit
      if isLast || batch.count == batchSize { try show() }
      return !isLast
    }
    for object in keys.isEmpty ? [] : sorted.complete() {
      batch.append(object)
      if batch.count == batchSize { try show() }
    }
    try show()
    if count == 0 { try requireObject() }
    return count
  }

  /// Throws `no-such-object` if a query for one object found none.
  private func requireObject() throws(CofferError) {
    guard let key = query.primaryKey, condition == nil else { return }
    throw CofferError(.noSuchObject, path: source.path, detail: "\(query.entityName)/p\(key)")
  }

  /// Counts the objects by their values of some properties; without a property, there is one group.
  ///
  /// - Returns: the groups in the order of their values; they are held in memory, so use properties with
  ///   few values.
  func groups(by names: [Name]) throws -> [ObjectGroup] {
    let properties = try names.map { try property($0) }
    let needed = Set(properties.map(\.neededName))
    let counted = Self.counted(properties)
    // By names, which differ where bytes differ: equal strings can be texts that SQLite distinguishes.
    var groups: [[Name]: ObjectGroup] = [:]
    guard !properties.isEmpty else {
      var count = 0
      try visit { _ in
        count += 1
        return true
      }
      try source.requireUnchanged()
      return count == 0 ? [] : [ObjectGroup(values: [], count: count)]
    }
    try visit { object in
      var shown = ShownObject(object, source.model, only: needed)
      if !counted.isEmpty { try counts.add(counted, to: &shown) }
      let values = properties.map { $0.value(of: shown) }
      let identity = values.map { Name(String(describing: $0)) }
      groups[identity, default: ObjectGroup(values: values, count: 0)].count += 1
      return true
    }
    try source.requireUnchanged()
    return groups.values.sorted { ShownValue.precedes($0.values, $1.values) ?? false }
  }

  private func property(
    _ name: Name, mayBeCounted: Bool = false
  ) throws(CofferError) -> ShownProperty {
    try ShownProperty(
      name, of: query.entityName, in: source.model, place: source.path, mayBeCounted: mayBeCounted)
  }

  /// The relationships whose destinations some properties count.
  private static func counted(_ properties: [ShownProperty]) -> Set<Name> {
    Set(properties.filter(\.isCount).map(\.neededName))
  }

  /// Passes the rows of the requested objects to a closure, in ascending order of primary keys.
  ///
  /// - Returns: the number of rows, at most the limit of the query.
  func forEachRow(_ body: (ObjectRow) throws -> Void) throws -> Int {
    var count = 0
    try visit { object in
      try body(object)
      count += 1
      return count != query.limit
    }
    if count == 0 { try requireObject() }
    return count
  }

  /// Passes the requested objects to a closure, in ascending order of primary keys, until it returns
  /// false.
  private func visit(_ body: (ObjectRow) throws -> Bool) throws {
    guard let shape = source.table(of: root), query.limit != 0 else { return }
    let columns = ObjectColumns(shape, source.entities)
    let filter = columns.filter(wanted, condition)
    try source.visitRows(of: shape, keys: query.primaryKey.map { $0...$0 }, filter: filter) {
      rows in
      guard let object = columns.object(rows), try isWanted(object) else { return true }
      return try body(object)
    }
  }

  private func isWanted(_ object: ObjectRow) throws -> Bool {
    try wanted.contains(object.id.entityName)
      && (query.primaryKey.map { $0 == object.id.primaryKey } ?? true)
      && (condition?.holds(for: object, in: scope) ?? true)
  }
}

extension ShownObject {
  /// The object of a row, with its to-one relationships; nil names are all.
  init(_ object: ObjectRow, _ model: ManagedObjectModel, only names: Set<Name>? = nil) {
    id = object.id
    version = object.version
    attributes = model.allAttributes(of: id.entityName)
      .filter { !$0.isTransient && names?.contains($0.name) ?? true }
      .map { ShownAttribute(name: $0.name, value: object.value(of: $0)) }
      .sorted { $0.name < $1.name }
    relationships = model.allRelationships(of: id.entityName)
      .filter { !$0.isToMany && !$0.isTransient && names?.contains($0.name) ?? true }
      .map { relationship in
        let destinations = [object.destination(of: relationship)].compactMap(\.self)
        return ShownRelationship(
          name: relationship.name, isToMany: false, destinations: destinations,
          count: destinations.count, objects: nil)
      }
      .sorted { $0.name < $1.name }
  }

  /// Shows bytes as bytes, without recognizing their content.
  fileprivate mutating func leaveUnrecognized() {
    for index in attributes.indices {
      attributes[index].value = attributes[index].value.unrecognized
    }
  }

  /// Keeps only the properties with given names, in the order of the names.
  fileprivate mutating func keepOnly(_ names: [Name]) {
    attributes = names.compactMap { name in
      attributes.first { $0.name == name }
    }
    relationships = names.compactMap { name in
      relationships.first { $0.name == name }
    }
  }
}
