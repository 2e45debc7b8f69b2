internal import CoreDataLayout
internal import CoreDataModel

/// Sorts the columns that relationships of other entities need in a table.
///
/// Core Data's own order is not known and does not matter (store-format, section 5.3); here it is that
/// of the choices, then that of the numbers of the relationships' entities and of their names.
struct DeferredColumns {
  /// The columns in order.
  private(set) var columns: [TableDesign.Column] = []
  /// The properties whose order is undecided; nil if there are fewer than two.
  let undecided: [PropertyReference]?

  /// The columns of one relationship: that of the owner and that of the order, or the latter alone.
  private struct Group {
    let property: PropertyReference
    let place: Int
    let number: Int64
    let relationship: String
    var columns: [TableDesign.Column]
  }

  init(
    _ late: [TableDesign.Column], expected: [ExpectedColumn], model: ManagedObjectModel,
    numbering: EntityNumbering, choices: DesignChoices
  ) {
    var groups: [Group] = []
    for column in late {
      switch column.expected.role {
      case .ownerOrder: groups[groups.count - 1].columns.append(column)
      case .owner(let entity, let relationship):
        let property = PropertyReference(entity: entity, property: relationship)
        groups.append(
          Group(
            property: property, place: choices.columnOrder[property] ?? .max,
            number: numbering.number(of: entity) ?? .max, relationship: relationship,
            columns: [column]))
      case .order(let relationship, let entity):
        let property = PropertyReference(entity: entity, property: relationship)
        let toOne = model.relationship(relationship, of: entity)?.relationship
        groups.append(
          Group(
            property: property, place: choices.columnOrder[property] ?? .max,
            number: toOne.flatMap { numbering.number(of: $0.destinationName) } ?? .max,
            relationship: toOne?.inverseName ?? "", columns: [column]))
      default: break
      }
    }
    groups.sort {
      if ($0.place, $0.number) != ($1.place, $1.number) {
        return ($0.place, $0.number) < ($1.place, $1.number)
      }
      return codeUnitsAscend($0.relationship, $1.relationship)
    }
    columns = groups.flatMap(\.columns)
    let open = groups.filter { $0.place == .max }
    undecided = groups.count > 1 && !open.isEmpty ? open.map(\.property) : nil
  }
}
