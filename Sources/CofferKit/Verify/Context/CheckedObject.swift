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
