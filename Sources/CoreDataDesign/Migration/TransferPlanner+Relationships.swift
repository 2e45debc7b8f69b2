internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

extension TransferPlanner {
  // MARK: To-one

  /// The key of the destination of a to-one relationship.
  mutating func reference(
    _ place: PropertyReference, _ members: [Member]
  ) -> SelectionBuilder.Value {
    let planner = self
    return .sql(perEntity(place, members) { planner.target($0, $1) })
  }

  mutating func perEntity(
    _ place: PropertyReference, _ members: [Member],
    _ expression: (SourceLink, Set<Int64>) -> String
  ) -> String {
    let allowed = allowedNumbers(of: place)
    var sources: [(numbers: [Int64], expression: String)] = []
    for member in members where property(place, of: member) != nil {
      checkReflexive(place, of: member)
      guard let link = link(place, of: member) else {
        if property(place, of: member)?.source != nil { noteMissing(place) }
        continue
      }
      add(member.oldNumber, expression(link, allowed), to: &sources)
    }
    return Self.choice(sources, of: members)
  }

  mutating func noteMissing(_ place: PropertyReference) {
    note(
      .unexplainedRows, place, "the old store has no column or table for it",
      remedy: "Verify the store; it can be migrated only if it matches its model.")
  }

  private mutating func checkReflexive(_ place: PropertyReference, of member: Member) {
    guard let origin = property(place, of: member)?.source,
      links.isReflexive(origin), inverse(of: place) != place
    else { return }
    note(.notSupported, place, "it is no longer its own inverse")
  }

  /// The key of the one far object.
  func target(_ link: SourceLink, _ allowed: Set<Int64>) -> String {
    switch link.form {
    case .column(let name):
      return kept("t.\(quotedIdentifier(name))", with: link, allowed)
    default: return "(SELECT min(\(farKey(link))) FROM \(farRows(link, allowed)))"
    }
  }

  /// A column of the row `t` that belongs to its reference: NULL if the far object is not
  /// migrated.
  func kept(_ column: String, with link: SourceLink, _ allowed: Set<Int64>) -> String {
    guard case .column(let name) = link.form,
      let condition = restriction(
        "t.\(quotedIdentifier(name))", in: link.farTable, below: link.farEntity, to: allowed)
    else { return column }
    return "CASE WHEN \(condition) THEN \(column) END"
  }

  func farKey(_ link: SourceLink) -> String {
    switch link.form {
    case .column(let name): "t.\(quotedIdentifier(name))"
    case .rows: "x.\(Self.primaryKey)"
    case .pairs(_, _, let far): "x.\(quotedIdentifier(far))"
    }
  }

  /// The rows that hold the references of the row `t`, as `x`.
  func farRows(_ link: SourceLink, _ allowed: Set<Int64>) -> String {
    switch link.form {
    case .column: return ""
    case .rows(let column):
      let filter = restriction(link, rows: "x", to: allowed).map { " AND \($0)" } ?? ""
      return "\(quotedIdentifier(link.farTable.tableName)) AS x WHERE "
        + "x.\(quotedIdentifier(column)) = t.\(Self.primaryKey)\(filter)"
    case .pairs(let table, let near, let far):
      let key = "x.\(quotedIdentifier(far))"
      let filter =
        restriction(key, in: link.farTable, below: link.farEntity, to: allowed)
        .map { " AND \($0)" } ?? ""
      return "\(quotedIdentifier(table)) AS x WHERE "
        + "x.\(quotedIdentifier(near)) = t.\(Self.primaryKey)\(filter)"
    }
  }

  /// The number of the destination's entity.
  func referenceEntity(
    _ place: PropertyReference, in table: EntityTable, _ builder: inout SelectionBuilder
  ) -> SelectionBuilder.Value {
    let column = table.columns.first {
      $0.role == .toOne(name: place.property, entity: place.entity)
    }
    guard let column, let key = builder.name(ofColumn: column.storedName),
      let relationship = destination.model.relationship(place.property, of: place.entity)?
        .relationship,
      let far = destination.entityTable(of: relationship.destinationName),
      let old = sourceTable(of: far)
    else { return .sql("NULL") }
    let number = Self.renumbering("f.\(Self.entityNumber)", members(of: far.entityNames))
    return .outer(
      "(SELECT \(number) FROM \(quotedIdentifier(old.tableName)) AS f "
        + "WHERE f.\(Self.primaryKey) = \(key))")
  }

  // MARK: To-many without inverse

  /// The key of the object that refers to the row by a to-many relationship without an inverse.
  mutating func owner(_ place: PropertyReference) -> SelectionBuilder.Value {
    guard let link = ownerLink(place) else { return .sql("NULL") }
    return .sql(target(link, oldNumbers(below: place.entity)))
  }

  private mutating func ownerLink(_ place: PropertyReference) -> SourceLink? {
    guard let origins = origins[place], !origins.isEmpty else { return nil }
    guard origins.count == 1, let origin = origins.first,
      let old = mapping.source[origin.entity]?.relationship(origin.property),
      let link = links.backward(origin)
    else {
      note(.notSupported, place, "it combines several relationships of the old model")
      return nil
    }
    let inverse = mapping.source.inverse(of: old)?.relationship
    guard inverse.map({ !$0.isToMany }) ?? old.isToMany else {
      note(
        .notSupported, place,
        "it has no inverse, and its destinations could belong to several relationships")
      return nil
    }
    return link
  }

  /// The place of an object in an ordered to-many relationship without an inverse.
  mutating func ownerOrder(
    _ place: PropertyReference, in table: EntityTable
  ) -> SelectionBuilder.Value {
    guard let link = ownerLink(place) else { return .sql("NULL") }
    guard let order = link.nearOrder, case .column = link.form else {
      return numbered(by: table) {
        $0 == .owner(entity: place.entity, relationship: place.property)
      }
    }
    return .sql(kept("t.\(quotedIdentifier(order))", with: link, oldNumbers(below: place.entity)))
  }
}

/// The sources of a relationship's references, and the sources that are migrated.
extension TransferPlanner {
  /// The source of a relationship's references in the new model, from one of its entities; nil if
  /// they are new.
  func link(_ place: PropertyReference, of member: Member) -> SourceLink? {
    guard let property = property(place, of: member) else { return nil }
    if let origin = property.source { return links.forward(origin) }
    guard let inverse = inverse(of: place), let origins = origins[inverse], origins.count == 1,
      let origin = origins.first
    else { return nil }
    return links.backward(origin)
  }

  /// The inverse of a relationship of the new model.
  func inverse(of place: PropertyReference) -> PropertyReference? {
    guard let relationship = mapping.destination[place.entity]?.relationship(place.property),
      let inverse = mapping.destination.inverse(of: relationship)
    else { return nil }
    return PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)
  }

  /// The source of all references of a relationship, from its own objects; nil if they are new, or
  /// come from several sources, which is recorded.
  mutating func link(_ place: PropertyReference) -> SourceLink? {
    if let origins = origins[place], !origins.isEmpty {
      guard origins.count == 1, let origin = origins.first else {
        note(.notSupported, place, "it combines several relationships of the old model")
        return nil
      }
      return links.forward(origin)
    }
    guard let inverse = inverse(of: place), let origins = origins[inverse], !origins.isEmpty else {
      return nil
    }
    guard origins.count == 1, let origin = origins.first else {
      note(.notSupported, place, "its inverse combines several relationships of the old model")
      return nil
    }
    return links.backward(origin)
  }

  /// The entity numbers of the destinations that a relationship may have in the new model.
  func allowedNumbers(of place: PropertyReference) -> Set<Int64> {
    guard let relationship = mapping.destination[place.entity]?.relationship(place.property) else {
      return []
    }
    return oldNumbers(below: relationship.destinationName)
  }

  /// A condition that excludes references to objects that are not migrated.
  ///
  /// It is nil if there are none. References to missing objects are kept.
  func restriction(
    _ key: String, in table: EntityTable, below entity: Name, to allowed: Set<Int64>
  ) -> String? {
    guard !numbers(below: entity).isSubset(of: allowed) else { return nil }
    return "NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(table.tableName)) AS f WHERE "
      + "f.\(Self.primaryKey) = \(key) AND f.\(Self.entityNumber) NOT IN (\(Self.list(allowed))))"
  }

  /// The condition for the rows of the far table that are migrated; nil if all are.
  func restriction(_ link: SourceLink, rows alias: String, to allowed: Set<Int64>) -> String? {
    guard !numbers(below: link.farEntity).isSubset(of: allowed) else { return nil }
    return "\(alias).\(Self.entityNumber) IN (\(Self.list(allowed)))"
  }
}
