internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The tables of many-to-many relationships.
extension TransferPlanner {
  mutating func plan(_ table: JoinTable) {
    guard let link = link(table.source) else {
      if origins[table.source] != nil, origins[table.source]?.count == 1 {
        noteMissing(table.source)
      }
      return
    }
    if let origin = origins[table.source]?.first, links.isReflexive(origin) != table.isReflexive {
      note(.notSupported, table.source, "it starts or stops being its own inverse")
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

/// The places of objects in ordered relationships.
extension TransferPlanner {
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
        $0 == .toOne(name: place.property, entity: place.entity)
      }
    }
    let planner = self
    return .sql(
      perEntity(place, members) { link, allowed in
        guard let order = link.nearOrder.map(quotedIdentifier) else { return "NULL" }
        switch link.form {
        case .column: return planner.kept("t.\(order)", with: link, allowed)
        case .rows, .pairs:
          return "(SELECT x.\(order) FROM \(planner.farRows(link, allowed)) "
            + "ORDER BY \(planner.farKey(link)) LIMIT 1)"
        }
      })
  }

  /// Places that follow the primary keys, as Core Data would give them to objects that are added one
  /// after the other (store-format, section 5.6).
  func numbered(by table: EntityTable, _ isOwner: (FieldRole) -> Bool) -> SelectionBuilder.Value {
    guard let index = table.columns.firstIndex(where: { isOwner($0.role) }) else {
      return .sql("NULL")
    }
    // The names at the outer level follow the columns that are written.
    let position = table.columns[..<index].count { $0.role != .plain }
    return .outer(Self.placeNumber(of: "c\(position)", by: "c0"))
  }

  static func placeNumber(of owner: String, by key: String) -> String {
    "CASE WHEN \(owner) IS NOT NULL THEN 1024 + 1024 * row_number() OVER "
      + "(PARTITION BY \(owner) ORDER BY \(key)) END"
  }
}
