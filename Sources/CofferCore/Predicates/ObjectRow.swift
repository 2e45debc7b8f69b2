package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// One row of a table of objects: which object it is, and what its columns say.
package struct ObjectRow {
  package let id: ManagedObjectID
  private let rows: any RowCursor
  private let columns: ObjectColumns
  private let places: ObjectColumns.Places

  fileprivate init(
    _ id: ManagedObjectID, _ rows: any RowCursor, _ columns: ObjectColumns,
    _ places: ObjectColumns.Places
  ) {
    self.id = id
    self.rows = rows
    self.columns = columns
    self.places = places
  }

  private var row: Row { rows.row }

  /// The version counter; nil where it is none.
  package var version: Int64? { columns.version.flatMap { row.integer($0) } }

  /// The value of an attribute.
  package func value(of attribute: AttributeDescription) -> ShownValue {
    value(of: attribute, [attribute.name])
  }

  private func value(of attribute: AttributeDescription, _ path: [Name]) -> ShownValue {
    if attribute.isComposite {
      let elements = attribute.elements.map {
        ShownAttribute(name: $0.name, value: value(of: $0, path + [$0.name]))
      }
      let known = elements.filter { $0.value != .none }
      return known.isEmpty
        ? .none : .composite(known.sorted { $0.name < $1.name })
    }
    guard let place = places.attributes[path] else { return .none }
    return ShownValue(row, place.column, place.form, attribute)
  }

  /// The value of a property as conditions compare it; none if a relationship is unset or dangling.
  func operand(
    of property: ConditionProperty, _ folding: TextFolding, in scope: ConditionScope
  ) throws -> ConditionOperand {
    switch property.kind {
    case .missing, .computed: return .none
    case .key: return .number(.integer(id.primaryKey))
    case .entityName: return .text(ComparedText(Array(id.entityName.utf8), folding))
    case .through(let relationship, let rest):
      guard let key = destination(of: relationship)?.primaryKey,
        let object = try scope.object(key, of: relationship.destinationName)
      else { return .none }
      return try object.operand(of: rest, folding, in: scope)
    case .toOne(let relationship):
      return destination(of: relationship).map { .number(.integer($0.primaryKey)) } ?? .none
    case .composite(let attribute, let path):
      return value(of: attribute, path) == .none ? .none : .other
    case .attribute(let path):
      guard let column = places.attributes[path]?.column else { return .none }
      return try operand(column, property.type, folding)
    }
  }

  private func operand(
    _ column: Int, _ type: ConditionType, _ folding: TextFolding
  ) throws -> ConditionOperand {
    switch (row.storageClass(column), type) {
    case (.null, _): return .none
    case (.integer, .number), (.integer, .boolean), (.integer, .date):
      return row.integer(column).map { .number(.integer($0)) } ?? .none
    case (.real, .number), (.real, .boolean), (.real, .date):
      guard let number = row.number(column).map(StoredNumber.real) else { return .none }
      return .number(type == .number(.float) ? number.roundedToFloat : number)
    case (.text, .text):
      var bytes: [UInt8] = []
      try unsafe rows.readValue(column) { unsafe bytes.append(contentsOf: $0) }
      return .text(ComparedText(bytes, folding))
    case (.blob, .uuid):
      guard let text = unsafe row.bytes(column).flatMap({ unsafe UUIDText.text(Array($0)) })
      else { return .other }
      return .text(ComparedText(Array(text.utf8), folding))
    default: return .other
    }
  }

  /// The place of an attribute's bytes: a text, or binary data.
  package enum Content {
    /// In a column, after a marker of `start` bytes.
    case inRow(column: Int, start: Int, isText: Bool)
    case inFile(ExternalFileName)
  }

  /// Where the bytes of an attribute are; nil for a number, and without a value.
  package func content(of path: [Name]) -> Content? {
    guard let place = places.attributes[path] else { return nil }
    let storageClass = row.storageClass(place.column)
    guard storageClass == .text || storageClass == .blob else { return nil }
    let marker = place.form == .externalBinary ? row.firstByte(place.column) : nil
    if marker == 2, let payload = unsafe row.payload(place.column),
      let file = unsafe ExternalReference(payload, column: 0, primaryKey: 0, entityNumber: 0)
    {
      return .inFile(file.file)
    }
    return .inRow(column: place.column, start: marker == 1 ? 1 : 0, isText: storageClass == .text)
  }

  /// Reads the bytes of a column in pieces, from one of them on.
  package func read(
    _ column: Int, from start: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var skipped = start
    try unsafe rows.readValue(column) { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
      skipped -= min(skipped, bytes.count)
      if unsafe !part.isEmpty { unsafe try body(part) }
    }
  }

  /// The destination of a to-one relationship; nil if there is none.
  package func destination(of relationship: RelationshipDescription) -> ManagedObjectID? {
    guard let place = places.toOnes[relationship.name], let key = row.integer(place.column) else {
      return nil
    }
    let number = place.entityColumn.flatMap { row.integer($0) }
    return ManagedObjectID(
      entityName: number.flatMap { columns.entityNames[$0] } ?? relationship.destinationName,
      primaryKey: key)
  }

  /// The object's place in an ordered relationship that it is a destination of: of that name, or as
  /// `Entity.relationship` without an inverse.
  func order(_ name: Name) -> Int64 { places.orders[name].flatMap { row.integer($0) } ?? 0 }

  /// The key of the owner in a to-many relationship without inverse, as `Entity.relationship`.
  func owner(_ name: Name) -> Int64? { places.owners[name].flatMap { row.integer($0) } }
}

/// Which columns of a table of objects hold what, by the names of the model.
package final class ObjectColumns {
  /// The columns of the objects of one entity.
  struct Places {
    var attributes: [[Name]: (column: Int, form: ValueForm)] = [:]
    var toOnes: [Name: (column: Int, entityColumn: Int?)] = [:]
    var orders: [Name: Int] = [:]
    var owners: [Name: Int] = [:]
  }

  let entityNames: [Int64: Name]
  let version: Int?
  let key: Int?
  let entity: Int?
  private let root: Name
  private let places: [Name: Places]

  /// Finds the columns of a table.
  package init(_ shape: TableLayout, _ entities: NumberedEntities) {
    func column(_ role: FieldRole) -> Int? { shape.fields.firstIndex { $0.role == role } }
    root = shape.entityName ?? ""
    entityNames = entities.names
    key = column(.primaryKey)
    version = column(.version)
    entity = column(.entityNumber)
    var places: [Name: Places] = [:]
    for (number, lineage) in entities.lineages(below: root) {
      if let name = entityNames[number] { places[name] = Self.places(shape, lineage) }
    }
    self.places = places
  }

  private static func places(_ shape: TableLayout, _ lineage: Set<Name>) -> Places {
    var places = Places()
    func add(_ column: Int, to columns: inout [Name: Int], _ name: Name) {
      columns[name] = columns[name] ?? column
    }
    for (column, field) in shape.fields.enumerated() {
      switch field.role {
      case .attribute(let path, let type, let isExternal, let entity)
      where lineage.contains(entity):
        places.attributes[path] =
          places.attributes[path] ?? (column, ValueForm(type, isExternal: isExternal))
      case .toOne(let name, let entity) where lineage.contains(entity):
        let companion = shape.fields.firstIndex {
          $0.role == .toOneEntity(name: name, entity: entity)
        }
        places.toOnes[name] = places.toOnes[name] ?? (column, companion)
      case .order(let name, let entity) where lineage.contains(entity):
        add(column, to: &places.orders, name)
      case .owner(let entity, let relationship):
        add(column, to: &places.owners, "\(entity).\(relationship)")
      case .ownerOrder(let entity, let relationship):
        add(column, to: &places.orders, "\(entity).\(relationship)")
      default: break
      }
    }
    return places
  }

  /// The columns of the objects of an entity; nil for one whose objects are not in the table.
  func places(of entity: Name) -> Places? { places[entity] }

  /// The object of a row; nil for one without a key, or of no entity that is known.
  package func object(_ rows: any RowCursor) -> ObjectRow? {
    let row = rows.row
    guard let key = key.flatMap({ row.integer($0) }) else { return nil }
    var name = root
    if let entity {
      guard let known = row.integer(entity).flatMap({ entityNames[$0] }) else { return nil }
      name = known
    }
    guard let places = places[name] else { return nil }
    return ObjectRow(ManagedObjectID(entityName: name, primaryKey: key), rows, self, places)
  }
}

extension RowSource {
  /// Goes through the rows of a table.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - keys: the primary keys to read; the rows may include others; nil for all.
  ///   - filter: the filter of the rows; they may include others; nil for all.
  ///   - body: called at each row; return false to stop.
  /// - Throws: what reading and the closure throw; `CancellationError`.
  package func visitRows(
    of shape: TableLayout, keys: ClosedRange<Int64>? = nil, filter: RowFilter? = nil,
    _ body: (Rows) throws -> Bool
  ) throws {
    let rows = try rows(of: shape, keys: keys, filter: filter)
    var count = 0
    while try rows.next() {
      if count & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      count &+= 1
      guard try body(rows) else { return }
    }
  }
}
