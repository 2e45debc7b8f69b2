internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Where the properties that a check reads stand in a table.
final class CustomColumns {
  /// The place of one property.
  struct Place {
    /// The column of its value.
    var column: Int
    /// The column of the number of the destination's entity; nil where there is none.
    var entityColumn: Int?
    /// The destination's entity by the model; nil for attributes.
    var destination: String?
    /// Whether a marker before the bytes says where they stand.
    var isExternal = false
  }

  private let places: [ExactString: Place]
  private let entities: EntityIndices

  /// Finds the places; those of properties that are not there are missing.
  init(
    _ names: [String], of entity: String, in table: VerifiedTable, _ context: VerificationContext
  ) {
    entities = context.entities
    var places: [ExactString: Place] = [:]
    let lineage = context.subject.model.lineage(of: entity).map(\.name).exactStrings
    for (column, field) in table.shape.fields.enumerated() {
      switch field.role {
      case .attribute(let path, _, let isExternal, let declarer) where lineage.contains(declarer):
        places[path.joined(separator: ".")] = Place(column: column, isExternal: isExternal)
      case .toOne(let name, let declarer) where lineage.contains(declarer):
        let companion = table.shape.fields.firstIndex {
          $0.role == .toOneEntity(name: name, entity: declarer)
        }
        let found = context.subject.model.relationship(name, of: declarer)
        places[name] = Place(
          column: column, entityColumn: companion,
          destination: found?.relationship.destinationName ?? "")
      default: break
      }
    }
    self.places = places.filter { names.exactStrings.contains($0.key) }
  }

  /// Whether a property has a place.
  func has(_ name: String) -> Bool { places[name] != nil }

  /// The place of a property, which the check has named.
  subscript(_ name: String) -> Place {
    guard let place = places[name] else {
      preconditionFailure("the property \(name) is not among those that the check reads")
    }
    return place
  }

  /// The name of an entity by its number in the store; nil where it is unknown.
  func entityName(_ number: Int64) -> String? { entities.name(entities.index(of: number)) }
}
