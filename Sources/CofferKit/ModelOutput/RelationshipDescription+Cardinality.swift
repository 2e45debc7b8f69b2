public import CoreDataModel

extension RelationshipDescription {
  /// The cardinality as in diagrams: `0..1`, `1`, `0..*`, `1..*`, `2..5`.
  public var cardinality: String {
    guard isToMany else { return isOptional ? "0..1" : "1" }
    let least = isOptional ? 0 : max(1, minCount)
    guard maxCount > 1 else { return "\(least)..*" }
    return least == maxCount ? "\(least)" : "\(least)..\(maxCount)"
  }
}
