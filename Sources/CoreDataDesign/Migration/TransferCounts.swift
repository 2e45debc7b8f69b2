internal import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore

/// A property that the new model lacks.
package struct DroppedProperty: Sendable {
  /// The kind.
  package let kind: PropertyMapping.Kind
  /// The old entity and the property: `Person.age`.
  package let name: String
  /// Counts its values or references, in the old store.
  package let sql: String
}

/// A relationship whose references are counted in both stores.
package struct CountedReferences: Sendable {
  /// The new entity and the relationship: `Person.address`.
  package let name: String
  /// Counts them in the old store.
  package let old: String
  /// Counts them in the new store.
  package let new: String
}

/// An ordered relationship whose order the new model lacks.
package struct DroppedOrder: Sendable {
  /// The old entity and the relationship: `List.items`.
  package let name: String
  /// Counts the references with a place in the order, in the old store.
  package let sql: String
}

/// The counts of the data that a migration drops.
struct TransferCounts {
  private(set) var droppedProperties: [DroppedProperty] = []
  private(set) var countedReferences: [CountedReferences] = []
  private(set) var droppedOrders: [DroppedOrder] = []

  private let planner: TransferPlanner
  private let newLinks: SourceLinks
  /// The old relationships whose references go somewhere.
  private let carried: Set<PropertyReference>

  init(_ planner: TransferPlanner) {
    self.planner = planner
    newLinks = SourceLinks(layout: planner.destination)
    carried = planner.origins.values.reduce(into: []) { $0.formUnion($1) }
    addDropped()
    addCounted()
    addOrders()
  }

  // MARK: Orders that are gone

  /// The references stay, with the relationship itself or with its inverse.
  private mutating func addOrders() {
    let model = planner.mapping.source
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isOrdered {
        let place = PropertyReference(entity: entity.name, property: relationship.name)
        let new = planner.origins.filter { $0.value.contains(place) }.keys
        let isKept = new.contains { place in
          planner.mapping.destination[place.entity]?.relationship(place.property)?.isOrdered
            ?? false
        }
        let inverse = model.inverse(of: relationship).map {
          PropertyReference(entity: $0.declaredBy, property: $0.relationship.name)
        }
        guard !isKept, !new.isEmpty || inverse.map(carried.contains) ?? false,
          let link = planner.links.forward(place), let order = link.farOrder
        else { continue }
        let name = "\(place.entity).\(place.property)"
        let numbers = Array(
          planner.numbers(below: place.entity).intersection(planner.carriedNumbers))
        droppedOrders.append(
          DroppedOrder(name: name, sql: Self.references(link, numbers, having: order)))
      }
    }
  }

  // MARK: Properties that are gone

  private mutating func addDropped() {
    var order: [PropertyMapping] = []
    var numbers: [PropertyMapping: [Int64]] = [:]
    for entity in planner.mapping.entities where entity.destinationName != nil {
      guard let name = entity.sourceName, let number = planner.source.numbering.number(of: name)
      else { continue }
      for property in entity.properties where property.isRemoved {
        if numbers[property] == nil { order.append(property) }
        numbers[property, default: []].append(number)
      }
    }
    for property in order {
      guard let place = property.source,
        let sql = property.kind == .attribute
          ? values(of: place, numbers[property] ?? [])
          : references(of: place, numbers[property] ?? [])
      else { continue }
      droppedProperties.append(
        DroppedProperty(kind: property.kind, name: "\(place.entity).\(place.property)", sql: sql))
    }
  }

  /// Counts the objects that have a value of an attribute; nil for one that the store computes.
  private func values(of place: PropertyReference, _ numbers: [Int64]) -> String? {
    guard let table = planner.source.entityTable(of: place.entity),
      planner.mapping.source[place.entity]?.attribute(place.property)?.isDerived == false
    else { return nil }
    let columns = table.columns.filter { column in
      guard case .attribute(let path, _, _, let declarer) = column.role else { return false }
      return declarer == place.entity
        && path.first == place.property
    }
    guard !columns.isEmpty else { return nil }
    let tests = columns.map { "t.\(quotedIdentifier($0.storedName)) IS NOT NULL" }
    return "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) AS t "
      + "WHERE \(Self.isOne(of: numbers)) AND (\(tests.joined(separator: " OR ")))"
  }

  /// Counts the references of a relationship; nil if they are counted, or kept, with its inverse.
  private func references(of place: PropertyReference, _ numbers: [Int64]) -> String? {
    guard let link = planner.links.forward(place) else { return nil }
    let model = planner.mapping.source
    if let relationship = model[place.entity]?.relationship(place.property),
      let inverse = model.inverse(of: relationship)
    {
      let other = PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)
      if other != place, carried.contains(other) { return nil }
      if case .rows = link.form { return nil }
      if case .pairs = link.form, planner.source.joinTable(of: place)?.source != place {
        return nil
      }
    }
    return Self.references(link, numbers)
  }

  // MARK: Relationships that change

  private mutating func addCounted() {
    var order: [PropertyReference] = []
    var members: [PropertyReference: [TransferPlanner.Member]] = [:]
    for entity in planner.mapping.entities {
      guard let name = entity.destinationName, let member = planner.members(of: [name]).first
      else { continue }
      for property in entity.properties where property.kind == .relationship {
        guard property.source != nil, let place = property.destination else { continue }
        if members[place] == nil { order.append(place) }
        members[place, default: []].append(member)
      }
    }
    for place in order where mayLose(place) {
      guard let list = members[place], let origins = planner.origins[place], origins.count == 1,
        let origin = origins.first, let old = planner.links.forward(origin),
        let new = newLinks.forward(place)
      else { continue }
      countedReferences.append(
        CountedReferences(
          name: "\(place.entity).\(place.property)",
          old: Self.references(old, list.map(\.oldNumber)),
          new: Self.references(new, list.map(\.newNumber))))
    }
  }

  /// Whether a relationship is kept in another way, or refers to objects that are left out.
  private func mayLose(_ place: PropertyReference) -> Bool {
    let inverse = planner.inverse(of: place)
    let changes = planner.mapping.entities.flatMap(\.properties).contains { property in
      guard let new = property.destination else { return false }
      return (new == place || new == inverse) && (property.isAdded || !property.changes.isEmpty)
    }
    guard !changes, let origin = planner.origins[place]?.first,
      let old = planner.mapping.source[origin.entity]?.relationship(origin.property)
    else { return true }
    return !planner.numbers(below: old.destinationName)
      .isSubset(of: planner.allowedNumbers(of: place))
  }

  // MARK: SQL

  private static func isOne(of numbers: [Int64]) -> String {
    "t.\(TransferPlanner.entityNumber) IN (\(TransferPlanner.list(numbers)))"
  }

  /// Counts the references of near objects of some entities, or the references with a value in a column.
  private static func references(
    _ link: SourceLink, _ numbers: [Int64], having column: String? = nil
  ) -> String {
    let filter = column.map { " AND x.\(quotedIdentifier($0)) IS NOT NULL" } ?? ""
    let near = quotedIdentifier(link.nearTable.tableName)
    let keys =
      "(SELECT t.\(TransferPlanner.primaryKey) FROM \(near) AS t WHERE \(isOne(of: numbers)))"
    switch link.form {
    case .column(let name):
      return "SELECT count(t.\(quotedIdentifier(name))) FROM \(near) AS t "
        + "WHERE \(isOne(of: numbers))"
    case .rows(let column):
      return "SELECT count(*) FROM \(quotedIdentifier(link.farTable.tableName)) AS x "
        + "WHERE x.\(quotedIdentifier(column)) IN \(keys)\(filter)"
    case .pairs(let table, let column, _):
      return "SELECT count(*) FROM \(quotedIdentifier(table)) AS x "
        + "WHERE x.\(quotedIdentifier(column)) IN \(keys)\(filter)"
    }
  }
}
