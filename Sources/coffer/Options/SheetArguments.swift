internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The options of commands that read tables.
struct SheetArguments: ParsableArguments {
  @Option(
    name: .customLong("map"),
    help: .value(
      "entity=file",
      "With tables: the file of this entity, if it is not named after it; repeatable."),
    transform: EntityArgument.init)
  var files: [EntityArgument] = []

  @Option(
    name: .customLong("key"),
    help: .value(
      "entity=attribute",
      "With tables: the attribute or column that identifies objects of this entity; repeatable."),
    transform: EntityArgument.init)
  var keys: [EntityArgument] = []

  @Option(
    help: .value(
      "choice", "With tables: what happens to objects with the same key (default: error)."))
  var onDuplicate: Choice<SheetOptions.DuplicatePolicy>?

  @Option(
    help: .value(
      "format", "With tables: the form of dates, such as '%d.%m.%Y %H:%M' (default: ISO 8601)."),
    transform: SheetArguments.dateFormat)
  var dateFormat: Instant.Format?

  @Option(
    help: .value("format", "With tables: the format of standard input: csv or ndjson."),
    completion: .list(["csv", "ndjson"]), transform: SheetArguments.format)
  var format: DataFormat?

  func validate() throws {
    for (list, name) in [(files, "--map"), (keys, "--key")] {
      var seen: Set<Name> = []
      for argument in list where !seen.insert(argument.entity).inserted {
        throw ValidationError("'\(name)' names \(argument.entity) twice.")
      }
    }
  }

  /// The options for reading tables.
  var options: SheetOptions {
    var options = SheetOptions()
    for argument in files { options.files[argument.entity] = argument.value }
    for argument in keys { options.keyNames[argument.entity] = Name(argument.value) }
    if let onDuplicate { options.duplicatePolicy = onDuplicate.value }
    options.dateFormat = dateFormat
    options.readsLinesOfJSON = format == .ndjson
    return options
  }

  private static func dateFormat(_ text: String) throws -> Instant.Format {
    if let format = Instant.Format(text) { return format }
    throw ValidationError(
      "'\(text)' is not the form of a date. Available: %Y %m %d %H %M %S %f %z, or %s.")
  }

  private static func format(_ text: String) throws -> DataFormat {
    if let format = DataFormat(rawValue: text), format.isText { return format }
    throw ValidationError("Unknown format '\(text)'. Choose 'csv' or 'ndjson'.")
  }
}

/// An argument such as `Person=people.csv`.
struct EntityArgument {
  let entity: Name
  let value: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw ValidationError("'\(text)' is not an entity with a value, such as Person=email.")
    }
    (entity, value) = (Name(parts[0]), parts[1])
  }
}
