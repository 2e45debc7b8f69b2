internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The command `coffer model FILE`.
struct Model: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, draw, check and compare managed object models.",
    usage: """
      coffer model <file> [--format <format>] [--output <path>] [<options>]
      coffer model --lint <file> [--cloudkit] [<options>]
      coffer model --diff <first> <second> [<options>]
      coffer model --matrix <folder> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Prints the model of a store, an archive or a model file, as text, as JSON, as the source that \
      Xcode opens, or as a diagram. Names what its author may come to regret, and tells which \
      versions of a model a store can be carried between by lightweight migration.
      """,
      examples: [
        "coffer model Trips.sqlite",
        "coffer model Trips.sqlite --format svg --output Trips.svg",
        "coffer model Trips.sqlite --lint",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.findings, "problems of the severity of --fail-on, or a migration is missing"),
        (.unusableInput, "the file does not exist or holds no model"),
        (.busy, nil), (.damaged, nil), (.newerFormat, nil), (.outputExists, nil),
        (.refused, "refused: too large to draw, a folder in the place of the output, no key"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(
    help: ArgumentHelp(
      "A store, an archive, a compiled model or the source of one.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("How to write the model (default: text).", valueName: "format"))
  var format: ModelFormat?

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp(
      "The version in a folder of several (default: the current one).", valueName: "name"))
  var version: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file, or folder for a source.", valueName: "path"))
  var target: String?

  @Flag(help: "Replace the output if it exists.")
  var force = false

  @Flag(help: "Name what the framework allows and people regret.")
  var lint = false

  @Flag(help: "With --lint: name what CloudKit mirroring refuses too.")
  var cloudkit = false

  @Option(
    help: ArgumentHelp(
      "With --lint: from which severity on to end with 3 (default: error).",
      valueName: "severity"))
  var failOn: FailureThreshold?

  @Flag(help: "Tell what differs between two models, and whether stores can migrate.")
  var diff = false

  @Flag(help: "Tell between which versions in a folder stores can migrate.")
  var matrix = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    let modes = [(lint, "--lint"), (diff, "--diff"), (matrix, "--matrix")].filter(\.0).map(\.1)
    if modes.count > 1 {
      throw ValidationError("'\(modes[0])' and '\(modes[1])' exclude each other.")
    }
    if let mode = modes.first, format != nil || target != nil {
      throw ValidationError("'\(mode)' has neither '--format' nor '--output'.")
    }
    if !lint, cloudkit || failOn != nil {
      throw ValidationError("'\(cloudkit ? "--cloudkit" : "--fail-on")' belongs to '--lint'.")
    }
    if diff, version != nil {
      throw ValidationError("'--diff' has no '--version': give the versions themselves.")
    }
    if files.count != (diff ? 2 : 1) {
      throw ValidationError(diff ? "'--diff' needs two models." : "Give one file.")
    }
    if output.json, target == nil, let format, format != .text {
      throw ValidationError(
        "'--json' and '--format \(format.rawValue)' exclude each other without '--output'.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let access = try reading.access(session)
    if matrix { return try drawMatrix(of: files[0], session) }
    let loaded = try ModelLoader.load(from: files[0], version: version, archiveAccess: access)
    let model = loaded.model
    if lint { return try check(model, session) }
    if diff {
      let other = try ModelLoader.model(from: files[1], archiveAccess: access)
      return try compare(model, other, session)
    }
    let document = ModelWriting(loaded: loaded, path: files[0], format: format ?? .text)
    try document.perform(session, target: target, isOverwriting: force)
    return .done
  }

  private func check(_ model: ManagedObjectModel, _ session: Session) throws -> ExitStatus {
    let problems = ModelLint(mirrorsToCloudKit: cloudkit).problems(in: model)
    let threshold = failOn ?? .error
    let isBad = problems.contains { threshold.isReached(by: $0.code.severity) }
    let status = isBad ? ExitStatus.findings : .done
    try session.report.linted(
      problems, of: files[0], entityCount: model.entities.count, status: status)
    return status
  }

  private func compare(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ session: Session
  ) throws -> ExitStatus {
    let mapping = try ModelMapping.infer(from: old, to: new)
    let difference = try ModelDifference(from: old, to: new)
    let status = mapping.isPossible ? ExitStatus.done : .findings
    try session.report.compared(
      difference, mapping, of: (files[0], files[1]), status: status)
    return status
  }

  private func drawMatrix(of path: String, _ session: Session) throws -> ExitStatus {
    guard let bundle = try ModelBundle(path: path) else {
      throw CofferError(
        .notAModel, path: path, detail: "it is no folder of versions",
        advice: "Give a folder .momd or .xcdatamodeld; for two models, use --diff.")
    }
    let matrix = try ModelMatrix(bundle, current: version)
    let status = matrix.missing.isEmpty ? ExitStatus.done : .findings
    try session.report.routed(matrix, of: path, status: status)
    return status
  }
}
