internal import CoreDataModel

extension TransferPlanner {
  // MARK: Where references come from

  /// Where the references of a relationship of the new model come from, seen from one of its
  /// entities; nil where they are new.
  func link(_ place: PropertyReference, of member: Member) -> SourceLink? {
    guard let property = property(place, of: member) else { return nil }
    if let origin = property.source { return links.forward(PropertyReference(origin)) }
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

  /// Where all the references of a relationship come from, from its own objects; nil where they are
  /// new, or cannot be had in one piece, which is noted.
  mutating func link(_ place: PropertyReference) -> SourceLink? {
    if let origins = origins[place], !origins.isEmpty {
      guard origins.count == 1, let origin = origins.first else {
        note(.notSupported, place, "it comes from several relationships of the old model")
        return nil
      }
      return links.forward(origin)
    }
    guard let inverse = inverse(of: place), let origins = origins[inverse], !origins.isEmpty else {
      return nil
    }
    guard origins.count == 1, let origin = origins.first else {
      note(.notSupported, place, "its inverse comes from several relationships of the old model")
      return nil
    }
    return links.backward(origin)
  }

  /// The numbers of the far objects that a relationship may lead to in the new model.
  func allowedNumbers(of place: PropertyReference) -> Set<Int64> {
    guard let relationship = mapping.destination[place.entity]?.relationship(place.property) else {
      return []
    }
    return oldNumbers(below: relationship.destinationName)
  }

  /// A condition that keeps references to objects out that are not carried over.
  ///
  /// It is nil where there are none such. References to nothing are left as they are.
  func restriction(
    _ key: String, in table: EntityTable, below entity: String, to allowed: Set<Int64>
  ) -> String? {
    guard !numbers(below: entity).isSubset(of: allowed) else { return nil }
    return "NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(table.tableName)) AS f WHERE "
      + "f.\(Self.primaryKey) = \(key) AND f.\(Self.entityNumber) NOT IN (\(Self.list(allowed))))"
  }

  /// The condition for rows of the far table that are carried over; nil where all are.
  func restriction(_ link: SourceLink, rows alias: String, to allowed: Set<Int64>) -> String? {
    guard !numbers(below: link.farEntity).isSubset(of: allowed) else { return nil }
    return "\(alias).\(Self.entityNumber) IN (\(Self.list(allowed)))"
  }

  // MARK: To-one

  /// The key of the destination of a to-one relationship.
  mutating func reference(
    _ place: PropertyReference, _ members: [Member]
  ) -> SelectionBuilder.Value {
    let planner = self
    return .sql(perEntity(place, members) { planner.target($0, $1) })
  }

  /// An expression for each entity that has the relationship.
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

  private mutating func noteMissing(_ place: PropertyReference) {
    note(
      .unexplainedRows, place, "the old store has no column or table for it",
      remedy: "Verify the store; only one that fits its model can be migrated.")
  }

  private mutating func checkReflexive(_ place: PropertyReference, of member: Member) {
    guard let origin = property(place, of: member)?.source,
      links.isReflexive(PropertyReference(origin)), inverse(of: place) != place
    else { return }
    note(.notSupported, place, "it was its own inverse and is not any more")
  }

  /// The key of the one far object.
  func target(_ link: SourceLink, _ allowed: Set<Int64>) -> String {
    switch link.form {
    case .column(let name):
      let key = "t.\(quotedIdentifier(name))"
      guard
        let condition = restriction(
          key, in: link.farTable, below: link.farEntity, to: allowed)
      else { return key }
      return "CASE WHEN \(condition) THEN \(key) END"
    default: return "(SELECT min(\(farKey(link))) FROM \(farRows(link, allowed)))"
    }
  }

  private func farKey(_ link: SourceLink) -> String {
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
      if case .toOne(place.property, _, place.entity) = $0.role { true } else { false }
    }
    guard let column, let key = builder.name(ofColumn: column.name),
      case .toOne(_, let name, _) = column.role,
      let far = destination.entityTable(of: name), let old = sourceTable(of: far)
    else { return .sql("NULL") }
    let number = Self.renumbering("f.\(Self.entityNumber)", members(of: far.entityNames))
    return .outer(
      "(SELECT \(number) FROM \(quotedIdentifier(old.tableName)) AS f "
        + "WHERE f.\(Self.primaryKey) = \(key))")
  }

  // MARK: Order

  /// The place of an object among those that share its destination.
  mutating func order(
    _ place: PropertyReference, in table: EntityTable, _ members: [Member]
  ) -> SelectionBuilder.Value {
    let isKept = members.allSatisfy { member in
      guard let link = link(place, of: member) else { return true }
      return link.nearOrder != nil
    }
    guard isKept else {
      return numbered(by: table) {
        if case .toOne(place.property, _, place.entity) = $0 { true } else { false }
      }
    }
    let planner = self
    return .sql(
      perEntity(place, members) { link, allowed in
        guard let order = link.nearOrder.map(quotedIdentifier) else { return "NULL" }
        switch link.form {
        case .column: return "t.\(order)"
        case .rows, .pairs:
          return "(SELECT x.\(order) FROM \(planner.farRows(link, allowed)) "
            + "ORDER BY \(planner.farKey(link)) LIMIT 1)"
        }
      })
  }

  /// Places that follow the primary keys, as Core Data would give them to objects that are added one
  /// after the other (store-format, section 5.6).
  private func numbered(
    by table: EntityTable, _ isOwner: (EntityColumn.Role) -> Bool
  ) -> SelectionBuilder.Value {
    guard let index = table.columns.firstIndex(where: { isOwner($0.role) }) else {
      return .sql("NULL")
    }
    // The names at the outer level follow the columns that are written.
    let position = table.columns[..<index].count { !$0.isGenerated && $0.role != .unknown }
    return .outer(Self.placeNumber(of: "c\(position)", by: "c0"))
  }

  static func placeNumber(of owner: String, by key: String) -> String {
    "CASE WHEN \(owner) IS NOT NULL THEN 1024 + 1024 * row_number() OVER "
      + "(PARTITION BY \(owner) ORDER BY \(key)) END"
  }

  // MARK: To-many without inverse

  /// The key of the object whose to-many relationship without an inverse leads to the row.
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
      note(.notSupported, place, "it comes from several relationships of the old model")
      return nil
    }
    let inverse = mapping.source.inverse(of: old)?.relationship
    guard inverse.map({ !$0.isToMany }) ?? old.isToMany else {
      note(
        .notSupported, place,
        "it has no inverse and leads to objects that several others could lead to")
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
    return .sql("t.\(quotedIdentifier(order))")
  }

  // MARK: Many-to-many

  /// Plans a table of pairs.
  mutating func plan(_ table: JoinTable) {
    guard let link = link(table.source) else {
      if origins[table.source] != nil, origins[table.source]?.count == 1 {
        noteMissing(table.source)
      }
      return
    }
    if let origin = origins[table.source]?.first, links.isReflexive(origin) != table.isReflexive {
      note(.notSupported, table.source, "whether it is its own inverse changes")
      return
    }
    var conditions: [String] = []
    let near: String
    let far: String
    let rows: String
    switch link.form {
    case .column(let name):
      rows = link.nearTable.tableName
      near = "t.\(Self.primaryKey)"
      far = "t.\(quotedIdentifier(name))"
      conditions.append("\(far) IS NOT NULL")
    case .rows(let column):
      rows = link.farTable.tableName
      near = "t.\(quotedIdentifier(column))"
      far = "t.\(Self.primaryKey)"
      conditions.append("\(near) IS NOT NULL")
    case .pairs(let name, let nearColumn, let farColumn):
      rows = name
      near = "t.\(quotedIdentifier(nearColumn))"
      far = "t.\(quotedIdentifier(farColumn))"
    }
    let owners = oldNumbers(below: table.source.entity)
    let targets = oldNumbers(below: table.destination.entity)
    conditions += [
      restriction(near, in: link.nearTable, below: link.nearEntity, to: owners),
      restriction(far, in: link.farTable, below: link.farEntity, to: targets),
    ].compactMap(\.self)
    var builder = SelectionBuilder()
    builder.add(table.sourceColumn, .sql(near))
    builder.add(table.destinationColumn, .sql(far))
    addOrders(of: table, link, &builder)
    statements.append(
      builder.statement(
        table: table.tableName, from: rows,
        where: conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), content: .pairs))
  }

  private func addOrders(
    of table: JoinTable, _ link: SourceLink, _ builder: inout SelectionBuilder
  ) {
    if let column = table.orderColumn {
      builder.add(
        column,
        link.farOrder.map { .sql("t.\(quotedIdentifier($0))") }
          ?? .outer(Self.placeNumber(of: "c0", by: "c1")))
    }
    if let column = table.inverseOrderColumn {
      builder.add(
        column,
        link.nearOrder.map { .sql("t.\(quotedIdentifier($0))") }
          ?? .outer(Self.placeNumber(of: "c1", by: "c0")))
    }
  }
}
