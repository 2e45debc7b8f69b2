internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Moves an order between a relationship and an attribute of its destination, in one step of a migration.
struct OrderMove {
  /// The relationship and its inverse in one of the models.
  private struct Place {
    let relationship: RelationshipDescription
    let declaredBy: Name
    let inverse: PropertyReference

    /// Nil if the relationship is not to-many with a to-one inverse.
    init?(_ name: Name, of entity: Name, in model: ManagedObjectModel) {
      guard let found = model.relationship(name, of: entity), found.relationship.isToMany,
        let inverse = model.inverse(of: found.relationship), !inverse.relationship.isToMany
      else { return nil }
      relationship = found.relationship
      declaredBy = found.declaredBy
      self.inverse = PropertyReference(
        entity: inverse.declaredBy, property: inverse.relationship.name)
    }

    func attribute(
      _ name: Name, in model: ManagedObjectModel
    ) -> (declaredBy: Name, description: AttributeDescription)? {
      for entity in model.lineage(of: relationship.destinationName) {
        guard let found = entity.attribute(name) else { continue }
        let isInteger = [.integer16, .integer32, .integer64].contains(found.type)
        guard isInteger, !found.isTransient, !found.isDerived else { return nil }
        return (entity.name, found)
      }
      return nil
    }
  }

  private let order: OrderAttribute
  private let old: Place
  private let attribute: AttributeDescription
  /// The keys of the destinations with their owners, in order; the key, then the owner.
  private let query: String
  /// Gives a destination its position, if it has an owner.
  private let update: String
  /// Counts the values of the old attribute that positions would replace; nil if the attribute is new.
  private let count: String?

  /// The name of the relationship with the order, or of the attribute, in the old model; it is not lost.
  var kept: String {
    order.side == .new
      ? "\(old.declaredBy).\(old.relationship.name)"
      : "\(old.relationship.destinationName).\(order.attributeName)"
  }

  /// Plans the move; nil if the tables lack a column, which other checks report.
  init?(
    _ order: OrderAttribute, _ mapping: ModelMapping, from source: StoreLayout,
    to destination: StoreLayout
  ) {
    guard case .success(let parts) = Self.parts(order, mapping),
      let near = source.entityTable(of: parts.old.relationship.destinationName),
      let far = destination.entityTable(of: parts.new.relationship.destinationName)
    else { return nil }
    self.order = order
    old = parts.old
    attribute = parts.attribute
    func column(_ table: EntityTable, _ role: FieldRole) -> String? {
      table.columns.first { $0.role == role }.map { quotedIdentifier($0.storedName) }
    }
    func position(_ table: EntityTable, _ declarer: Name) -> String? {
      table.columns.first {
        guard case .attribute([order.attributeName], _, _, let entity) = $0.role else {
          return false
        }
        return entity == declarer
      }.map { quotedIdentifier($0.storedName) }
    }
    func orderKey(_ table: EntityTable, _ place: Place) -> String? {
      column(table, .order(name: place.inverse.property, entity: place.inverse.entity))
    }
    func owner(_ table: EntityTable, _ place: Place) -> String? {
      column(table, .toOne(name: place.inverse.property, entity: place.inverse.entity))
    }
    func values(_ reference: PropertyReference) -> String? {
      guard let table = source.entityTable(of: reference.entity),
        let column = table.columns.first(where: {
          guard case .attribute([reference.property], _, _, let entity) = $0.role else {
            return false
          }
          return entity == reference.entity
        })
      else { return nil }
      let owner = owner(near, parts.old)
      let condition = owner.map {
        table.tableName == near.tableName ? " AND \($0) IS NOT NULL" : ""
      }
      return "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) "
        + "WHERE \(quotedIdentifier(column.storedName)) IS NOT NULL\(condition ?? "")"
    }
    let isToAttribute = order.side == .new
    count = isToAttribute ? Self.origin(of: parts, order, mapping).flatMap(values) : nil
    guard let oldOwner = owner(near, parts.old), let newOwner = owner(far, parts.new),
      let from = isToAttribute ? orderKey(near, parts.old) : position(near, parts.declaredBy),
      let to = isToAttribute ? position(far, parts.declaredBy) : orderKey(far, parts.new)
    else { return nil }
    let key = quotedIdentifier(StoredName.primaryKey)
    query =
      "SELECT \(key), \(oldOwner) FROM \(quotedIdentifier(near.tableName)) WHERE \(oldOwner) IS NOT NULL "
      + "ORDER BY \(oldOwner), \(from) IS NULL, \(from), \(key)"
    update =
      "UPDATE \(quotedIdentifier(far.tableName)) SET \(to) = ? WHERE \(key) = ? AND \(newOwner) IS NOT NULL"
  }

  private struct Refusal: Error { let detail: String }

  private typealias Parts = (
    old: Place, new: Place, declaredBy: Name, attribute: AttributeDescription
  )

  /// The attribute of the old model whose values the attribute of the new model gets; nil if it is new.
  private static func origin(
    of parts: Parts, _ order: OrderAttribute, _ mapping: ModelMapping
  ) -> PropertyReference? {
    let place = PropertyReference(entity: parts.declaredBy, property: order.attributeName)
    return mapping.entities.lazy.flatMap(\.properties)
      .first { $0.destination == place && $0.source != nil }?.source
  }

  private static func parts(
    _ order: OrderAttribute, _ mapping: ModelMapping
  ) -> Result<Parts, Refusal> {
    let (source, destination) = (mapping.source, mapping.destination)
    guard let new = Place(order.relationshipName, of: order.entityName, in: destination) else {
      return .failure(
        Refusal(detail: "the new model has no such to-many relationship with a to-one inverse"))
    }
    let place = PropertyReference(entity: new.declaredBy, property: new.relationship.name)
    let origin = mapping.entities.lazy.flatMap(\.properties)
      .first { $0.destination == place && $0.source != nil }?.source
    guard let origin, let old = Place(origin.property, of: origin.entity, in: source) else {
      return .failure(
        Refusal(detail: "the old model has no such to-many relationship with a to-one inverse"))
    }
    let isToAttribute = order.side == .new
    guard old.relationship.isOrdered == isToAttribute, new.relationship.isOrdered != isToAttribute
    else {
      return .failure(
        Refusal(
          detail: isToAttribute
            ? "the relationship does not become unordered"
            : "the relationship does not become ordered"
        ))
    }
    let found =
      isToAttribute
      ? new.attribute(order.attributeName, in: destination)
      : old.attribute(order.attributeName, in: source)
    guard let found else {
      return .failure(
        Refusal(
          detail:
            "\(order.attributeName) is not a stored integer attribute of the destination in the "
            + (isToAttribute ? "new model" : "old model")))
    }
    return .success((old, new, found.declaredBy, found.description))
  }

  /// Why a step cannot move an order, as a clause; nil if it can.
  static func problem(_ order: OrderAttribute, _ mapping: ModelMapping) -> String? {
    if case .failure(let refusal) = parts(order, mapping) { refusal.detail } else { nil }
  }

  /// The contradiction of two orders, as a clause; nil if both can be moved.
  static func conflict(
    _ one: OrderAttribute, _ other: OrderAttribute, _ mapping: ModelMapping
  ) -> String? {
    guard case .success(let first) = parts(one, mapping),
      case .success(let second) = parts(other, mapping), one.side == other.side
    else { return nil }
    func relationship(_ place: Place) -> PropertyReference {
      PropertyReference(entity: place.declaredBy, property: place.relationship.name)
    }
    if relationship(first.new) == relationship(second.new) {
      return "two attributes are given for its order"
    }
    // Several relationships can be ordered by one attribute.
    guard one.side == .new, first.declaredBy == second.declaredBy,
      one.attributeName == other.attributeName
    else { return nil }
    return "the order of another relationship goes to \(first.declaredBy).\(one.attributeName) too"
  }

  /// Why the attribute cannot take the positions: it has values that they would replace; nil if it has none.
  func problem(_ database: SQLiteDatabase) throws(CofferError) -> MappingProblem? {
    guard let count, let found = try database.value(count)?.integer, found > 0 else { return nil }
    return MappingProblem(
      .unmetCondition, entity: old.relationship.destinationName, property: order.attributeName,
      "\(found == 1 ? "1 object has a value" : "\(found) objects have values") of it, which the positions in "
        + "\(order.entityName).\(order.relationshipName) would replace",
      remedy: "Choose an attribute that is new or has no values.")
  }

  /// Moves the order, after the rows.
  ///
  /// - Throws: ``CofferError``: `refused` if a position is too large for the attribute; errors from SQLite;
  ///   `CancellationError`.
  func perform(from source: SQLiteDatabase, to target: SQLiteDatabase, place: String) throws {
    let rows = try source.prepare(query)
    let change = try target.prepare(update)
    var (last, position, count): (Int64?, Int64, Int) = (nil, 0, 0)
    while try rows.step() {
      count += 1
      if count & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      let owner = rows.int64(1)
      position = owner == last ? position + 1 : 0
      last = owner
      if order.side == .new, !fits(position) {
        throw CofferError(
          .refused, path: place, item: "\(order.entityName).\(order.relationshipName)",
          detail: "a position is too large for an \(attribute.type.name)")
      }
      change.reset()
      change.bind(
        order.side == .new ? position : OrderKeys.key(at: position), at: 1)
      change.bind(rows.int64(0), at: 2)
      try change.run()
    }
  }

  private func fits(_ position: Int64) -> Bool {
    switch attribute.type {
    case .integer16: Int16(exactly: position) != nil
    case .integer32: Int32(exactly: position) != nil
    default: true
    }
  }
}
