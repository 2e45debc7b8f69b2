internal import CoreDataModel

/// A column of an output, and where in a row of the source its value stands.
struct DataColumn: Equatable {
  /// What the values are.
  enum Content: Equatable {
    /// The primary key of the object.
    case key
    /// The name of the object's entity, from its number.
    case entity
    /// An attribute.
    case attribute(ValueForm, AttributeType)
    /// The file of an attribute whose values may be kept in files.
    case file
    /// The primary key of another object: a destination, or an owner.
    case reference
    /// The name of a destination's entity, from its number.
    case destinationEntity
    /// The place in an ordered relationship.
    case position
  }

  /// The name, unique among those of its part whatever the case of letters.
  var name: String
  /// What the values are.
  var content: Content
  /// The column of the row.
  var column: Int
  /// For a reference: the root entity of the objects that it may lead to; nil where they are not, or not
  /// all, in the output.
  var destinationRoot: String?

  /// What is needed of it for each row.
  struct Step {
    /// What the values are.
    var content: Content
    /// The column of the row.
    var column: Int
    /// Whether a number stands for a decimal one, whose digits must not pass through a binary one.
    var isDecimal: Bool
  }

  /// What is needed of it for each row.
  var step: Step {
    let isDecimal = if case .attribute(.number, _) = content { true } else { false }
    return Step(content: content, column: column, isDecimal: isDecimal)
  }
}
