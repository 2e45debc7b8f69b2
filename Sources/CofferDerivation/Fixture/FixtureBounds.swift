internal import CoreDataModel

/// How many destinations an object can have in a relationship.
struct FixtureBounds: Equatable {
  /// The least number, of an object that has any.
  var least: Int
  /// The largest number.
  var most: Int
  /// Whether an object can have none.
  var mayBeEmpty: Bool

  /// The bounds of a relationship; nil for one that the model does not have, which has no bounds.
  init(_ relationship: RelationshipDescription?) {
    least = max(1, relationship?.isToMany == true ? relationship?.minCount ?? 1 : 1)
    let largest = relationship?.maxCount ?? 0
    most = largest > 0 ? max(least, largest) : .max
    mayBeEmpty = relationship?.isOptional ?? true
  }

  /// The bounds of objects that can belong to one other, and need not.
  static let oneAtMost = FixtureBounds(RelationshipDescription(name: "", destinationName: ""))

  /// The number of objects that can have destinations.
  ///
  /// - Parameters:
  ///   - count: the number of destinations.
  ///   - inverse: how many of the objects each of them can belong to.
  /// - Returns: nil for any number.
  func limit(with count: Int, _ inverse: FixtureBounds) -> Int? {
    if mayBeEmpty { return nil }
    if count < least { return 0 }
    let (places, isBeyond) = count.multipliedReportingOverflow(by: inverse.most)
    return isBeyond ? nil : places / least
  }
}
