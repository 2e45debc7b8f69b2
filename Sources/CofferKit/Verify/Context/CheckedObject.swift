internal import CoreDataArchive
internal import CoreDataLayout
public import CoreDataModel

/// An object that an ``ObjectCheck`` looks at; its values are lent by the row or the line that it
/// stands in.
///
/// Values are found by the names of properties, which must be among ``ObjectCheck/propertyNames``. Each
/// function answers nil where the value is of another kind than it gives, as in a damaged store: whether
/// it fits the type of its attribute is looked at by the check `values`.
public struct CheckedObject: ~Copyable {
  /// Which object it is.
  public let id: ManagedObjectID
  private let row: Row
  private let columns: CustomColumns

  init(_ id: ManagedObjectID, _ row: Row, _ columns: CustomColumns) {
    self.id = id
    self.row = row
    self.columns = columns
  }

  /// Whether an attribute has no value, or a relationship leads nowhere.
  public func isNil(_ property: String) -> Bool { row.isNull(columns[property].column) }

  /// The value of an integer or boolean attribute: 1 is true, 0 is false.
  public func integer(_ attribute: String) -> Int64? { row.integer(columns[attribute].column) }

  /// The value of a number, or of a date as the seconds since the beginning of 2001 in UTC
  /// (`Date.timeIntervalSinceReferenceDate`).
  public func number(_ attribute: String) -> Double? { row.number(columns[attribute].column) }

  /// The value of a text attribute or a URI; nil also for one of more than 64 KiB.
  public func text(_ attribute: String) -> String? {
    let column = columns[attribute].column
    guard case .text = row.storageClass(column), let bytes = unsafe row.bytes(column) else {
      return nil
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// How many bytes a value has that is text or binary and stands in the store itself; nil for one in
  /// a file beside it.
  public func size(_ attribute: String) -> Int? {
    let place = columns[attribute]
    switch row.storageClass(place.column) {
    case .text: return row.size(place.column)
    case .blob where !place.isExternal: return row.size(place.column)
    // Behind a 1 stands the value itself, behind a 2 the name of its file.
    case .blob: return row.firstByte(place.column) == 1 ? row.size(place.column) - 1 : nil
    default: return nil
    }
  }

  /// The object that a to-one relationship leads to.
  ///
  /// Whether that is there is looked at by the check `references`. The entity is that of the model where
  /// the store does not tell the object's own.
  public func destination(_ relationship: String) -> ManagedObjectID? {
    let place = columns[relationship]
    guard let entity = place.destination, let key = row.integer(place.column) else { return nil }
    let number = place.entityColumn.flatMap { row.integer($0) }
    return ManagedObjectID(
      entityName: number.flatMap(columns.entityName) ?? entity, primaryKey: key)
  }
}

/// Something that must be true of an app's objects beyond what its model says.
///
/// ```swift
/// struct TripsEndAfterTheyBegin: ObjectCheck {
///   let entityName = "Trip"
///   let propertyNames = ["startDate", "endDate"]
///
///   func findings(about trip: borrowing CheckedObject) -> [Finding] {
///     guard let start = trip.number("startDate"), let end = trip.number("endDate"), end < start
///     else { return [] }
///     return [Finding(.endsBeforeItBegins, objectID: trip.id, propertyName: "endDate")]
///   }
/// }
/// ```
///
/// Put it into ``VerificationOptions/objectChecks``: it sees every object of its entity once, in a store
/// and in an archive alike, beside the checks of the verifier. What it finds counts like theirs. A check
/// whose entity or whose properties the model does not have is reported as not run (`check-not-run`).
/// It is called on one thread at a time; one that needs a memory of earlier objects keeps it in a class.
public protocol ObjectCheck: Sendable {
  /// The entity whose objects it looks at, those of its sub-entities included.
  var entityName: String { get }
  /// The attributes and the to-one relationships that it reads; elements of composite attributes by
  /// their path, such as `place.latitude`.
  var propertyNames: [String] { get }
  /// Looks at an object.
  ///
  /// - Parameter object: lent until the call returns.
  /// - Returns: what is wrong with it; nothing for most.
  /// - Throws: what ends the verification.
  func findings(about object: borrowing CheckedObject) throws -> [Finding]
}

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
