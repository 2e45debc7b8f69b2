internal import CoreDataModel

/// What a key path of a condition leads to from the objects of one entity.
struct ConditionProperty {
  /// Where the values stand.
  indirect enum Kind {
    /// The primary key of the object itself.
    case key
    /// The name of its entity.
    case entityName
    /// A column.
    case attribute([ExactString])
    /// The columns of elements.
    case composite(AttributeDescription, [ExactString])
    /// A to-one relationship.
    case toOne(RelationshipDescription)
    /// A property of the object that a to-one relationship leads to.
    case through(RelationshipDescription, ConditionProperty)
    /// Nowhere: only other entities have it.
    case missing
  }

  let kind: Kind
  /// What the values are compared as.
  let type: ConditionType
  /// The type as the model names it, for errors.
  let typeName: String

  /// Whether other objects have the values.
  var isElsewhere: Bool { if case .through = kind { true } else { false } }

  /// The same of the object that a to-one relationship leads to.
  func reached(through relationship: RelationshipDescription) -> Self {
    Self(kind: .through(relationship, self), type: type, typeName: typeName)
  }

  /// Whether values of both are read in the same way, whichever entity of a tree has them.
  func isRead(as other: Self) -> Bool {
    guard type == other.type else { return false }
    switch (kind, other.kind) {
    case (.through(let first, let rest), .through(let second, let otherRest)):
      return first.destinationName.hasSameBytes(as: second.destinationName)
        && rest.isRead(as: otherRest)
    case (.through, _), (_, .through): return false
    default: return true
    }
  }
}
