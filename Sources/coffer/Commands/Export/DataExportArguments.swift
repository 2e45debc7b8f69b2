internal import ArgumentParser
internal import CofferKit

/// The options of a data export.
struct DataExportArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write the objects for other programs: csv, ndjson or sqlite.", valueName: "format"),
    transform: DataExportArguments.format)
  var format: DataFormat?

  @Option(
    help: ArgumentHelp(
      "With --format: the folder to create.", valueName: "folder"), completion: .directory)
  var outputFolder: String?

  @Option(
    help: ArgumentHelp(
      "Give each store a folder store_uuid=UUID in the output folder; ndjson without --format.",
      valueName: "property"))
  var partition: Choice<DataPartition>?

  @Option(
    name: .customLong("series"),
    help: ArgumentHelp(
      "With --partition: the name of the store's series, wherever it is.", valueName: "name"))
  var seriesName: String?

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp(
      "With --format: write only this entity and its subentities; repeatable.",
      valueName: "name"), completion: .entity)
  var entities: [String] = []

  @Option(
    name: .customLong("exclude-entity"),
    help: ArgumentHelp(
      "With --format: leave out this entity and its subentities; repeatable.",
      valueName: "name"), completion: .entity)
  var excludedEntities: [String] = []

  @Flag(help: "With --format csv or ndjson: write no files without objects or pairs.")
  var skipEmpty = false

  @Option(
    name: .customLong("identity"),
    help: ArgumentHelp(
      "With --format: decrypt the archive with the keys in this file; repeatable.",
      valueName: "file"), completion: .file())
  var identityFiles: [String] = []

  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "With --format: raise a limit on what an archive may contain; repeatable.",
      valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  func validate() throws {
    for text in identityFiles { try SecretFile.refuseSecret(text, for: "--identity") }
    let dependent = [
      (outputFolder != nil, "--output-folder"),
      (!entities.isEmpty, "--entity"),
      (!excludedEntities.isEmpty, "--exclude-entity"), (skipEmpty, "--skip-empty"),
      (!identityFiles.isEmpty, "--identity"),
      (!limits.isEmpty, "--limit"),
    ]
    if chosenFormat == nil, let option = dependent.first(where: \.0)?.1 {
      throw ValidationError(
        "'\(option)' requires '--format', which is one of \(Self.formats).")
    }
    if let seriesName {
      guard partition != nil else { throw ValidationError("'--series' requires '--partition'.") }
      guard BackupSeries.isName(seriesName) else { throw ValidationError.seriesName(seriesName) }
    }
    if format == .sqlite, skipEmpty {
      throw ValidationError("'--skip-empty' is for files: '--format csv' or '--format ndjson'.")
    }
    if let format = chosenFormat, outputFolder == nil {
      throw ValidationError("'--format \(format.rawValue)' requires '--output-folder <folder>'.")
    }
  }

  /// The format; lines of JSON where many stores share a folder: programs that split files by lines read
  /// every text in them as it is.
  var chosenFormat: DataFormat? { format ?? (partition == nil ? nil : .ndjson) }

  /// The format with a name.
  private static func format(_ text: String) throws -> DataFormat {
    if let format = DataFormat(rawValue: text) { return format }
    throw ValidationError("Unknown format '\(text)'. Choose one of \(formats).")
  }

  private static var formats: String {
    DataFormat.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}

extension ValidationError {
  /// The error about a text that cannot be the name of a series.
  static func seriesName(_ text: String) -> ValidationError {
    ValidationError(
      "The name of a series has 1 to 64 letters, digits, '.', '-' or '_', not '\(text)'.")
  }
}
