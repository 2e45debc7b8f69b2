internal import ArgumentParser
internal import CofferKit

/// The options of an export of tables.
struct TablesExportArguments: ParsableArguments {
  @Option(
    help: .value("format", "The format: csv, ndjson or sqlite."),
    completion: .list(DataFormat.allCases.map(\.rawValue)), transform: TablesExportArguments.format)
  var format: DataFormat?

  @Option(
    help: .value(
      "property", "Give each store a folder store_uuid=UUID in the folder; ndjson without --format."
    ))
  var partition: Choice<DataPartition>?

  @Option(
    name: .customLong("series"),
    help: .value("name", "With --partition: the store's series, wherever the store is."))
  var seriesName: String?

  @Option(
    name: .customLong("entity"),
    help: .value("name", "Write only this entity and its subentities; repeatable."),
    completion: .entity)
  var entities: [Name] = []

  @Option(
    name: .customLong("exclude-entity"),
    help: .value("name", "Leave out this entity and its subentities; repeatable."),
    completion: .entity)
  var excludedEntities: [Name] = []

  @Flag(help: "With csv and ndjson: write no files without objects or pairs.")
  var skipEmpty = false

  func validate() throws {
    if chosenFormat == nil {
      throw ValidationError(
        "Missing expected argument '--format <format>': one of \(Self.formats).")
    }
    if let seriesName {
      guard partition != nil else { throw ValidationError("'--series' requires '--partition'.") }
      guard BackupSeries.isName(seriesName) else { throw ValidationError.seriesName(seriesName) }
    }
    if format == .sqlite, skipEmpty {
      throw ValidationError("'--skip-empty' is for files: '--format csv' or '--format ndjson'.")
    }
  }

  /// The format; lines of JSON if many stores share a folder, because programs that split files by lines
  /// read every text in them unchanged.
  var chosenFormat: DataFormat? { format ?? (partition == nil ? nil : .ndjson) }

  private static func format(_ text: String) throws -> DataFormat {
    if let format = DataFormat(rawValue: text) { return format }
    throw ValidationError("Unknown format '\(text)'. Choose one of \(formats).")
  }

  private static var formats: String {
    DataFormat.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}

extension ValidationError {
  static func seriesName(_ text: String) -> ValidationError {
    ValidationError(
      "The name of a series has 1 to 64 letters, digits, '.', '-' or '_', not '\(text)'.")
  }
}
