internal import CoreDataLayout
public import CoreDataModel

/// An object that an ``ObjectCheck`` examines.
///
/// Its values are borrowed from a row or a line.
///
/// Values are found by property name, which must be among ``ObjectCheck/propertyNames``. Each
/// function returns nil if the value is of another kind, as in a damaged store: the check `values`
/// reports values that do not match the type of their attribute.
public struct CheckedObject: ~Copyable {
  /// The ID of the object.
  public let id: ManagedObjectID
  private let row: Row
  private let columns: CustomColumns

  init(_ id: ManagedObjectID, _ row: Row, _ columns: CustomColumns) {
    self.id = id
    self.row = row
    self.columns = columns
  }

  /// Whether an attribute or a to-one relationship is nil.
  public func isNil(_ property: Name) -> Bool { row.isNull(columns[property].column) }

  /// The value of an integer or Boolean attribute: 1 is true, 0 is false.
  public func integer(_ attribute: Name) -> Int64? { row.integer(columns[attribute].column) }

  /// The value of a number, or of a date as seconds since the start of 2001 in UTC
  /// (`Date.timeIntervalSinceReferenceDate`).
  public func number(_ attribute: Name) -> Double? { row.number(columns[attribute].column) }

  /// The value of a string or URI attribute; nil also if it is larger than 64 KiB.
  public func text(_ attribute: Name) -> String? {
    let column = columns[attribute].column
    guard case .text = row.storageClass(column), let bytes = unsafe row.bytes(column) else {
      return nil
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The size in bytes of a string or binary value in the store itself; nil if it is in an external
  /// file.
  public func size(_ attribute: Name) -> Int? {
    let place = columns[attribute]
    switch row.storageClass(place.column) {
    case .text: return row.size(place.column)
    case .blob where !place.isExternal: return row.size(place.column)
    // After a 1 comes the value itself, after a 2 the name of its file.
    case .blob: return row.firstByte(place.column) == 1 ? row.size(place.column) - 1 : nil
    default: return nil
    }
  }

  /// The destination of a to-one relationship.
  ///
  /// The check `references` reports missing destinations. If the store does not record the object's
  /// entity, the model's destination entity is used.
  public func destination(_ relationship: Name) -> ManagedObjectID? {
    let place = columns[relationship]
    guard let entity = place.destination, let key = row.integer(place.column) else { return nil }
    let number = place.entityColumn.flatMap { row.integer($0) }
    return ManagedObjectID(
      entityName: number.flatMap(columns.entityName) ?? entity, primaryKey: key)
  }
}

/// A rule that an app's objects must satisfy beyond its model.
///
/// ```swift
/// struct TripsEndAfterTheyBegin: ObjectCheck {
///   let entityName: Name = "Trip"
///   let propertyNames: [Name] = ["startDate", "endDate"]
///
///   func findings(about trip: borrowing CheckedObject) -> [Finding] {
///     guard let start = trip.number("startDate"), let end = trip.number("endDate"), end < start
///     else { return [] }
///     return [Finding(.endsBeforeItBegins, objectID: trip.id, propertyName: "endDate")]
///   }
/// }
/// ```
///
/// Add it to ``VerificationOptions/objectChecks``. It sees every object of its entity once, in
/// stores and archives alike, and its findings count like the verifier's own. A check whose entity
/// or properties are not in the model is reported as not run (`check-not-run`). It is called on one
/// thread at a time. If it must remember earlier objects, keep the state in a class.
public protocol ObjectCheck: Sendable {
  /// The entity whose objects it examines, including its subentities.
  var entityName: Name { get }
  /// The attributes and to-one relationships that it reads; elements of composite attributes by
  /// path, such as `place.latitude`.
  var propertyNames: [Name] { get }
  /// Examines an object.
  ///
  /// - Parameter object: the object, borrowed until the call returns.
  /// - Returns: the findings about it, usually none.
  /// - Throws: an error to end the verification with.
  func findings(about object: borrowing CheckedObject) throws -> [Finding]
}

/// The columns of the properties that a check reads in a table.
final class CustomColumns {
  /// The location of one property.
  struct Place {
    var column: Int
    /// The column of the destination's entity number; nil if there is none.
    var entityColumn: Int?
    /// The destination entity in the model; nil for attributes.
    var destination: Name?
    /// Whether a marker before the bytes records their place.
    var isExternal = false
  }

  private let places: [Name: Place]
  private let entities: EntityIndices

  /// Finds the locations of the properties that exist.
  init(_ names: [Name], of entity: Name, in table: VerifiedTable, _ context: VerificationContext) {
    entities = context.entities
    var places: [Name: Place] = [:]
    let lineage = Set(context.subject.model.lineage(of: entity).map(\.name))
    for (column, field) in table.shape.fields.enumerated() {
      switch field.role {
      case .attribute(let path, _, let isExternal, let declarer) where lineage.contains(declarer):
        places[Name(path: path)] = Place(column: column, isExternal: isExternal)
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
    self.places = places.filter { names.contains($0.key) }
  }

  func has(_ name: Name) -> Bool { places[name] != nil }

  /// The location of a property, which must be one that the check reads.
  subscript(_ name: Name) -> Place {
    guard let place = places[name] else {
      preconditionFailure("the property \(name) is not among those that the check reads")
    }
    return place
  }

  /// The name of an entity by its number in the store; nil if unknown.
  func entityName(_ number: Int64) -> Name? { entities.name(entities.index(of: number)) }
}
