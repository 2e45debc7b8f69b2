package import CofferCore
package import CoreDataModel

/// A column of the output, and the place of its value in a source row.
package struct DataColumn: Equatable {
  /// The kinds of values.
  package enum Content: Equatable {
    case key
    case attribute(ValueForm, AttributeType)
    /// The file of an attribute that allows external storage.
    case file
    /// The primary key of another object: a destination, or an owner.
    case reference
    /// The name of a destination's entity, from its number.
    case destinationEntity
    case position
  }

  /// The name, unique in its part ignoring case.
  package var name: String
  /// The kind of values.
  package var content: Content
  /// The column of the source row.
  package var column: Int
  /// For a reference: the root entity of its destinations; nil if not all of them are in the
  /// output.
  var destinationRoot: Name?

  /// The parts that are needed for each row.
  struct Step {
    /// The kind of values.
    var content: Content
    /// The column of the source row.
    var column: Int
  }

  /// The parts that are needed for each row.
  var step: Step {
    Step(content: content, column: column)
  }
}
