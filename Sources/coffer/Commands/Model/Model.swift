internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer model FILE`.
struct Model: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Print, draw, check and compare managed object models.",
    usage: """
      coffer model <file> [--format <format>] [--output <path>] [<options>]
      coffer model <store> <model> [<options>]
      coffer model --lint <file> [--cloudkit] [<options>]
      coffer model --diff <first> <second> [<options>]
      coffer model --matrix <folder> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Prints the model of a store, an archive or a model file as text, JSON, Xcode source or a \
      diagram, and a mapping model (.xcmappingmodel) as text or JSON. With a store and the model of \
      its app, says which version wrote the store. With --lint, reports constructs that cause \
      trouble. With --diff, says whether stores can migrate from one model to the other; with \
      --matrix, says so for all versions in a folder.
      """,
      examples: [
        "coffer model Trips.sqlite",
        "coffer model Trips.sqlite --format svg --output Trips.svg",
        "coffer model Trips.sqlite --lint",
      ],
      statuses: [
        .findings:
          "problems reach --fail-on; even Core Data cannot migrate; no version fits",
        .coreDataOnly: "--diff, --matrix: Core Data can migrate the store; coffer cannot",
        .unusableInput: "the file does not exist or contains no model", .busy: nil, .damaged: nil,
        .newerFormat: nil, .outputExists: nil,
        .refused: "refused: too large to draw, the output is a folder, no key",
      ]))

  @Argument(
    help: .value("file", "A store, an archive, a compiled model or a model source."),
    completion: .file())
  var files: [String]

  @Option(help: .value("format", "The output format (default: text)."))
  var format: ModelFormat?

  @Option(help: .value("name", "The version in a folder of several (default: the current one)."))
  var modelVersion: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value("path", "Write to this file, or for a source, to this folder."),
    completion: .file())
  var target: String?

  @Flag(help: "Replace an existing output.")
  var force = false

  @Flag(help: "Report constructs that cause trouble.")
  var lint = false

  @Flag(help: "With --lint: also report what CloudKit mirroring refuses.")
  var cloudkit = false

  @Option(
    help: .value("severity", "With --lint: the lowest severity that ends with 3 (default: error)."))
  var failOn: FailureThreshold?

  @Flag(help: "Compare two models, and say whether stores can migrate.")
  var diff = false

  @Flag(help: "Say between which versions in a folder stores can migrate.")
  var matrix = false

  @OptionGroup var merging: MergedModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [target] }

  var onlyAnswers: Bool { target == nil }

  func validate() throws {
    let modes = [(lint, "--lint"), (diff, "--diff"), (matrix, "--matrix")].filter(\.0).map(\.1)
    if modes.count > 1 {
      throw ValidationError("'\(modes[0])' and '\(modes[1])' cannot be combined.")
    }
    if let mode = modes.first, format != nil || target != nil {
      throw ValidationError("'\(mode)' accepts neither '--format' nor '--output'.")
    }
    if !lint, cloudkit || failOn != nil {
      throw ValidationError("'\(cloudkit ? "--cloudkit" : "--fail-on")' requires '--lint'.")
    }
    if diff, modelVersion != nil {
      throw ValidationError("'--diff' has no '--model-version': give the versions themselves.")
    }
    guard files.count == 1 || files.count == 2 && !lint && !matrix else {
      throw ValidationError(diff ? "'--diff' requires two models." : "Pass exactly one file.")
    }
    if diff, files.count == 1 { throw ValidationError("'--diff' requires two models.") }
    if !diff, files.count == 2, format != nil || target != nil || modelVersion != nil {
      throw ValidationError(
        "A store and a model accept neither '--format', '--output' nor '--model-version'.")
    }
    try merging.refuse("--diff", if: diff)
    try merging.refuse("--matrix", if: matrix)
    try merging.refuse("--model-version", if: modelVersion != nil)
    if output.json, target == nil, let format, format != .text {
      throw ValidationError(
        "'--json' and '--format \(format.rawValue)' can be combined only with '--output'.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session)
    let paths = try session.backupPaths(of: files, environment)
    let others = try merging.paths(session, environment)
    if matrix { return try drawMatrix(of: files[0], session) }
    if !lint, !diff, MappingModel.isMapping(files[0]) {
      return try showMapping(session)
    }
    if lint || diff {
      let model = try ModelLoader.load(
        from: paths[0], version: modelVersion, merging: others, environment: environment
      ).model
      if lint { return try check(model, session) }
      let other = try ModelLoader.model(from: paths[1], environment: environment)
      return try compare(model, other, session)
    }
    if files.count == 2 {
      return try session.showResult(
        VersionMatchMessage(
          match: try VersionMatch(
            of: paths[0], in: paths[1], merging: others, environment: environment),
          store: files[0], model: files[1]))
    }
    let loaded =
      others.isEmpty
      ? try ModelLoader.loadOrInfer(from: paths[0], version: modelVersion, environment: environment)
      : try ModelLoader.load(from: paths[0], merging: others, environment: environment)
    if loaded.model.source == .inferred {
      try session.printer.warn(
        "inferred-model",
        "\(files[0]): it has no copy of its model; the output is inferred from the tables, so "
          + "names and types are guesses")
    }
    let document = ModelWriting(loaded: loaded, path: files[0], format: format ?? .text)
    try document.perform(session, target: target, isOverwriting: force)
    return .done
  }

  /// Shows a mapping model; with a folder of versions, what it does that inference would not.
  private func showMapping(_ session: Session) throws -> ExitStatus {
    guard format ?? .text == .text, target == nil else {
      throw CofferError(
        .incompatibleChoices, path: files[0], detail: "a mapping model is printed as text or JSON",
        advice: "Leave out --format and --output; use --json for JSON.")
    }
    let mapping = try MappingModel(path: files[0])
    guard files.count == 2 else {
      try session.printer.print(MappingModelMessage(mapping: mapping, path: files[0]))
      return .done
    }
    guard let bundle = try ModelBundle(path: files[1]) else {
      throw CofferError(
        .notAModel, path: files[1], detail: "it is not a folder of versions",
        advice: "Pass the .momd or .xcdatamodeld folder with the versions of the mapping model.")
    }
    let comparison = try MappingComparison(mapping, at: files[0], in: bundle)
    try session.printer.print(
      MappingComparisonMessage(comparison: comparison, mapping: mapping, path: files[0]))
    return .done
  }

  private func check(_ model: ManagedObjectModel, _ session: Session) throws -> ExitStatus {
    let problems = ModelLint(mirrorsToCloudKit: cloudkit).problems(in: model)
    let threshold = failOn ?? .error
    let isBad = problems.contains { threshold.isReached(by: $0.code.severity) }
    let status = isBad ? ExitStatus.findings : .done
    try session.printer.print(
      LintMessage(
        problems: problems, path: files[0], entityCount: model.entities.count, status: status))
    return status
  }

  private func compare(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ session: Session
  ) throws -> ExitStatus {
    return try session.showResult(
      ModelDifferenceMessage(
        difference: try ModelDifference(from: old, to: new),
        mapping: try ModelMapping.infer(from: old, to: new), first: files[0], second: files[1]))
  }

  private func drawMatrix(of path: String, _ session: Session) throws -> ExitStatus {
    guard let bundle = try ModelBundle(path: path) else {
      throw CofferError(
        .notAModel, path: path, detail: "it is not a folder of versions",
        advice: "Pass a .momd or .xcdatamodeld folder. To compare two models, use --diff.")
    }
    let mappings = try MappingFiles(besides: path)
    let matrix = try ModelMatrix(bundle, current: modelVersion) { old, new throws(CofferError) in
      try mappings.mapping(
        from: MappedVersion(name: old.name, model: old.model),
        to: MappedVersion(name: new.name, model: new.model)
      ).map {
        ModelMatrix.Custom(name: $0.name, problems: $0.problems(from: old.model, to: new.model))
      }
    }
    return try session.showResult(ModelMatrixMessage(matrix: matrix, path: path))
  }
}

/// The differences between two models, and whether a store can migrate from one to the other.
struct ModelDifferenceMessage: ResultMessage {
  var difference: ModelDifference
  var mapping: ModelMapping
  /// The source of the first model, as given.
  var first: String
  /// The source of the second model, as given.
  var second: String

  var status: ExitStatus { verdict.status }

  private var verdict: MigrationVerdict { MigrationVerdict(mapping.allProblems) }

  func write(to printer: TextPrinter) throws {
    let names = "\(Terminal.printable(first)) and \(Terminal.printable(second))"
    guard !difference.isEmpty else { return try printer.line("\(names) have the same model") }
    let count = QuantityText.count(difference.changes.count, "difference")
    try printer.line(printer.style.bold("\(names): \(count)"))
    for change in difference.changes {
      let text = Terminal.printable(change.description)
      switch change.kind {
      case .added: try printer.line(printer.style.green("+ \(text)"))
      case .removed: try printer.line(printer.style.red("- \(text)"))
      case .changed: try printer.line(printer.style.yellow("~ \(text)"))
      }
    }
    try printer.line("")
    try printer.line(
      printer.style.bold(
        "From the first to the second: \(verdict.text("stores"))\(verdict == .possible ? "." : ":")"
      ))
    try printer.show(mapping.allProblems, indent: "  ")
    if mapping.isPossible { try printer.show(mapping.conditions, indent: "  ") }
  }

  func write(to printer: JSONPrinter) throws {
    for change in difference.changes {
      try printer.line([
        "type": "change", "change": change.kind.rawValue, "entity": change.entityName.text,
        "property": change.propertyName?.text, "aspect": change.aspect?.rawValue,
        "old": change.oldValue, "new": change.newValue,
      ])
    }
    for problem in mapping.allProblems { try printer.line(["type": "problem"] + problem.members) }
    for condition in mapping.conditions {
      try printer.line(["type": "condition"] + condition.members)
    }
    try printer.summary(
      status,
      [
        "first": first, "second": second, "equal": difference.isEmpty,
        "changes": difference.changes.count, "possible": mapping.isPossible,
        "verdict": verdict.rawValue, "problems": mapping.allProblems.count,
      ])
  }
}
