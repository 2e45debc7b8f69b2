internal import CoreDataModel

/// A property with the entity that declares it.
package struct PropertyReference: Sendable, Hashable {
  /// The name of the entity that declares the property.
  package var entity: String
  /// The name of the property.
  package var property: String

  /// Creates one side of a table of pairs.
  package init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.property.hasSameBytes(as: right.property) && left.entity.hasSameBytes(as: right.entity)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(entity))
    hasher.combine(ExactString(property))
  }
}

/// The table of a relationship that is to-many on both sides: a row for each pair of objects.
///
/// Source: store-format, section 5.5.
package struct JoinTable: Sendable, Equatable {
  /// The name of the table.
  package var tableName: String
  /// The relationship that the table is named after.
  package var source: PropertyReference
  /// The column with the primary keys of the objects of the source's entity.
  package var sourceColumn: String
  /// The inverse of the source; the source itself for a relationship that is its own inverse.
  package var destination: PropertyReference
  /// The column with the primary keys of the source's destinations.
  package var destinationColumn: String
  /// The column with the position of the destination in the source, if ordered.
  package var orderColumn: String?
  /// The column with the position of the source in the destination, if ordered.
  package var inverseOrderColumn: String?
  /// The columns that the model does not explain, in declared order.
  package var unknownColumns: [String]

  /// Whether the relationship is its own inverse.
  package var isReflexive: Bool { source == destination }
}
