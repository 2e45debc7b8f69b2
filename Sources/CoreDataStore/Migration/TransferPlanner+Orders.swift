internal import CoreDataLayout
internal import CoreDataModel

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
        if case .toOne(place.property, place.entity) = $0 { true } else { false }
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
  func numbered(
    by table: EntityTable, _ isOwner: (FieldRole) -> Bool
  ) -> SelectionBuilder.Value {
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
