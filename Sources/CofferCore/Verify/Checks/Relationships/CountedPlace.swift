internal import CoreDataLayout
package import CoreDataModel

/// Where the destinations of a to-many relationship are stored.
package enum CountedPlace {
  /// In these columns of a join table; in both directions if the relationship is its own
  /// inverse.
  case pairs(table: Int, [(owner: Int, destination: Int)])
  /// In a column of the destinations, which belong to the given entity.
  case column(table: Int, Int, holder: Name)

  /// Finds the place; nil if the store has none.
  package init?(
    _ relationship: RelationshipDescription, of entity: Name, _ context: VerificationContext
  ) {
    guard relationship.isToMany else { return nil }
    guard let inverse = context.subject.model.inverse(of: relationship) else {
      self.init(
        .owner(entity: entity, relationship: relationship.name),
        holder: relationship.destinationName, context)
      return
    }
    let other = inverse.relationship
    guard other.isToMany else {
      self.init(
        .toOne(name: other.name, entity: inverse.declaredBy), holder: inverse.declaredBy, context)
      return
    }
    if let table = context.pairs(of: relationship.name, entity: entity) {
      let isReflexive =
        other.name == relationship.name
        && inverse.declaredBy == entity
      self.init(table, isForward: true, isBackward: isReflexive)
    } else if let table = context.pairs(of: other.name, entity: inverse.declaredBy) {
      self.init(table, isForward: false, isBackward: true)
    } else {
      return nil
    }
  }

  private init?(_ role: FieldRole, holder: Name, _ context: VerificationContext) {
    guard let table = context.table(ofEntity: holder), let column = table.column(role) else {
      return nil
    }
    self = .column(table: table.index, column, holder: holder)
  }

  private init?(_ table: VerifiedTable, isForward: Bool, isBackward: Bool) {
    guard let source = table.column(.source), let destination = table.column(.destination) else {
      return nil
    }
    let forward = isForward ? [(owner: source, destination: destination)] : []
    let backward = isBackward ? [(owner: destination, destination: source)] : []
    self = .pairs(table: table.index, forward + backward)
  }
}
