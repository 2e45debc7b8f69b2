/// A condition that the objects of a store must meet for a mapping, in addition to the models.
package struct MappingCondition: Sendable, Hashable {
  /// The kinds of conditions.
  package enum Requirement: Sendable, Hashable {
    /// There are no objects of exactly this entity.
    case noObjects
    /// Each object has this many destinations.
    case destinationCount(DestinationCount)
    /// The values lie in this range.
    case range(ClosedRange<Int64>)
    /// No two objects have the same values for these properties.
    case unique([Name])
  }

  /// The condition itself.
  package var requirement: Requirement
  /// The entity of the new model.
  package var entityName: Name
  /// The property of the new model, or nil for a condition about the entity.
  package var propertyName: Name?

  /// Creates a condition for the objects of an entity.
  package init(_ requirement: Requirement, entity: Name, property: Name? = nil) {
    self.requirement = requirement
    entityName = entity
    propertyName = property
  }

  /// The condition as a sentence about the objects, such as
  /// `every object has at most 1 destination`.
  package var sentence: String {
    switch requirement {
    case .noObjects: "no object has exactly this entity, because it is abstract"
    case .destinationCount(let count):
      "every object has \(Self.text(count))"
    case .range(let range): "every value is from \(range.lowerBound) to \(range.upperBound)"
    case .unique(let names): "no two objects have the same \(names.joined(separator: ", "))"
    }
  }

  private static func text(_ count: DestinationCount) -> String {
    let none = count.mayBeEmpty && count.minimum > 1 ? "no destination, or " : ""
    let minimum = count.mayBeEmpty && count.minimum == 1 ? 0 : count.minimum
    return none + text(minimum, count.maximum)
  }

  private static func text(_ minimum: Int, _ maximum: Int?) -> String {
    switch (minimum, maximum) {
    case (1, 1): "exactly 1 destination"
    case (0, let maximum?): "at most \(objects(maximum))"
    case (let minimum, nil): "at least \(objects(minimum))"
    case (let minimum, let maximum?): "\(minimum) to \(objects(maximum))"
    }
  }

  private static func objects(_ count: Int) -> String {
    count == 1 ? "1 destination" : "\(count) destinations"
  }
}
