public import CoreDataModel

extension RelationshipDescription {
  /// The cardinality as in diagrams: `0..1`, `1`, `0..*`, `1..*`, `2..5`.
  public var cardinality: String {
    guard isToMany else { return isOptional ? "0..1" : "1" }
    let least = allowedCount.mayBeEmpty ? 0 : allowedCount.minimum
    guard maxCount > 1 else { return "\(least)..*" }
    return least == maxCount ? "\(least)" : "\(least)..\(maxCount)"
  }
}
