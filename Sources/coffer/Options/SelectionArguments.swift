internal import ArgumentParser
internal import CofferKit

/// The options of commands that take some objects of a store or an archive.
struct SelectionArguments: ParsableArguments {
  @Option(
    name: .customLong("entity"),
    help: .value(
      "name",
      "Take only objects of this entity and its subentities, and objects that they need; repeatable."
    ),
    completion: .entity)
  var entities: [Name] = []

  @Option(
    name: .customLong("where"),
    help: .value("predicate", "Take only the objects of the entity that meet this predicate."))
  var condition: String?

  func validate() throws {
    if condition != nil, entities.count != 1 {
      throw ValidationError("'--where' needs one '--entity', whose objects it is for.")
    }
  }

  /// The selection; nil for everything.
  var selection: ObjectSelection? {
    entities.isEmpty ? nil : ObjectSelection(entityNames: entities, condition: condition)
  }
}
