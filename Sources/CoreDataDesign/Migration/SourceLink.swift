internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The storage of the references of one relationship, from the side of one of its entities.
///
/// The objects on this side are near, their destinations are far.
struct SourceLink: Equatable {
  /// The place of the references.
  enum Form: Equatable {
    /// A column of the near object's row holds the key of the far one.
    case column(String)
    /// A column of the far objects' rows holds the key of the near one.
    case rows(column: String)
    /// The rows of a join table hold both keys.
    case pairs(table: String, near: String, far: String)
  }

  /// The place of the references.
  var form: Form
  var nearTable: EntityTable
  var farTable: EntityTable
  /// The column with the position of the near object in the far object's relationship; it is in the
  /// same table as the reference.
  var nearOrder: String?
  /// The column with the position of the far object in the near object's relationship; as above.
  var farOrder: String?
  /// The entity of the old model at the near side, and that at the far side.
  var nearEntity: Name
  var farEntity: Name
}

/// Finds where a store keeps references.
struct SourceLinks {
  let layout: StoreLayout

  private var model: ManagedObjectModel { layout.model }

  /// The references of a relationship, from its own objects; nil if the store lacks them.
  func forward(_ place: PropertyReference) -> SourceLink? {
    guard let relationship = model[place.entity]?.relationship(place.property),
      let near = layout.entityTable(of: place.entity),
      let far = layout.entityTable(of: relationship.destinationName)
    else { return nil }
    var link = SourceLink(
      form: .column(""), nearTable: near, farTable: far, nearEntity: place.entity,
      farEntity: relationship.destinationName)
    guard relationship.isToMany else {
      guard let column = Self.column(near, .toOne(name: place.property, entity: place.entity))
      else { return nil }
      link.form = .column(column)
      link.nearOrder = Self.column(near, .order(name: place.property, entity: place.entity))
      return link
    }
    guard let inverse = model.inverse(of: relationship) else {
      guard
        let column = Self.column(far, .owner(entity: place.entity, relationship: place.property))
      else { return nil }
      link.form = .rows(column: column)
      link.farOrder = Self.column(
        far, .ownerOrder(entity: place.entity, relationship: place.property))
      return link
    }
    let other = PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name)
    guard inverse.relationship.isToMany else {
      guard let column = Self.column(far, .toOne(name: other.property, entity: other.entity)) else {
        return nil
      }
      link.form = .rows(column: column)
      link.farOrder = Self.column(far, .order(name: other.property, entity: other.entity))
      return link
    }
    guard let join = layout.joinTable(of: place) else { return nil }
    let isSource = join.source == place
    link.form = .pairs(
      table: join.tableName, near: isSource ? join.sourceColumn : join.destinationColumn,
      far: isSource ? join.destinationColumn : join.sourceColumn)
    link.nearOrder = isSource ? join.inverseOrderColumn : join.orderColumn
    link.farOrder = isSource ? join.orderColumn : join.inverseOrderColumn
    return link
  }

  /// The references of a relationship, from its destinations; nil if the store lacks them.
  func backward(_ place: PropertyReference) -> SourceLink? {
    guard let relationship = model[place.entity]?.relationship(place.property) else { return nil }
    if let inverse = model.inverse(of: relationship) {
      return forward(
        PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name))
    }
    guard let near = layout.entityTable(of: relationship.destinationName),
      let far = layout.entityTable(of: place.entity)
    else { return nil }
    var link = SourceLink(
      form: .column(""), nearTable: near, farTable: far,
      nearEntity: relationship.destinationName, farEntity: place.entity)
    if relationship.isToMany {
      guard
        let column = Self.column(near, .owner(entity: place.entity, relationship: place.property))
      else { return nil }
      link.form = .column(column)
      link.nearOrder = Self.column(
        near, .ownerOrder(entity: place.entity, relationship: place.property))
    } else {
      guard let column = Self.column(far, .toOne(name: place.property, entity: place.entity)) else {
        return nil
      }
      link.form = .rows(column: column)
    }
    return link
  }

  /// Whether a relationship is its own inverse.
  func isReflexive(_ place: PropertyReference) -> Bool {
    layout.joinTable(of: place)?.isReflexive ?? false
  }

  // MARK: Columns

  private static func column(_ table: EntityTable, _ role: FieldRole) -> String? {
    table.columns.first { $0.role == role }?.storedName
  }
}
