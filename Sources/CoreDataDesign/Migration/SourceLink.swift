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
    func link(
      _ form: SourceLink.Form?, nearOrder: String? = nil, farOrder: String? = nil
    ) -> SourceLink? {
      form.map {
        SourceLink(
          form: $0, nearTable: near, farTable: far, nearOrder: nearOrder, farOrder: farOrder,
          nearEntity: place.entity, farEntity: relationship.destinationName)
      }
    }
    func rows(_ reference: FieldRole, order: FieldRole) -> SourceLink? {
      link(
        Self.column(far, reference).map { .rows(column: $0) }, farOrder: Self.column(far, order))
    }
    guard relationship.isToMany else {
      return link(
        Self.column(near, .toOne(name: place.property, entity: place.entity)).map { .column($0) },
        nearOrder: Self.column(near, .order(name: place.property, entity: place.entity)))
    }
    guard let inverse = model.inverse(of: relationship) else {
      return rows(
        .owner(entity: place.entity, relationship: place.property),
        order: .ownerOrder(entity: place.entity, relationship: place.property))
    }
    let (name, entity) = (inverse.relationship.name, inverse.declaredBy)
    guard inverse.relationship.isToMany else {
      return rows(.toOne(name: name, entity: entity), order: .order(name: name, entity: entity))
    }
    guard let join = layout.joinTable(of: place) else { return nil }
    return join.source == place
      ? link(
        .pairs(table: join.tableName, near: join.sourceColumn, far: join.destinationColumn),
        nearOrder: join.inverseOrderColumn, farOrder: join.orderColumn)
      : link(
        .pairs(table: join.tableName, near: join.destinationColumn, far: join.sourceColumn),
        nearOrder: join.orderColumn, farOrder: join.inverseOrderColumn)
  }

  /// The references of a relationship, from its destinations; nil if the store lacks them.
  func backward(_ place: PropertyReference) -> SourceLink? {
    guard let relationship = model[place.entity]?.relationship(place.property) else { return nil }
    if let inverse = model.inverse(of: relationship) {
      return forward(
        PropertyReference(entity: inverse.declaredBy, property: inverse.relationship.name))
    }
    guard var link = forward(place) else { return nil }
    switch link.form {
    case .column(let column): (link.form, link.nearOrder) = (.rows(column: column), nil)
    case .rows(let column): link.form = .column(column)
    case .pairs: return nil
    }
    (link.nearTable, link.farTable) = (link.farTable, link.nearTable)
    (link.nearEntity, link.farEntity) = (link.farEntity, link.nearEntity)
    (link.nearOrder, link.farOrder) = (link.farOrder, link.nearOrder)
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
