internal import ArgumentParser
internal import CofferKit

/// The command `coffer anonymize SOURCE TARGET`.
struct Anonymize: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Create a small, anonymized copy of a store.",
    usage: "coffer anonymize <source> <target> [<options>]",
    discussion: HelpText.discussion(
      """
      Writes the chosen objects and the objects that they require to a new store, an archive or \
      a folder of tables. Replaces texts, blobs, external files and numbers, and shifts dates; \
      equal values stay equal, and different values stay different. Keeps Booleans, whole \
      numbers below 1,000 and names in JSON, and lists them; --rules replaces these too.
      """,
      examples: [
        "coffer anonymize Trips.sqlite Bug.coffer.tar.gz --around TodoEntity/p1",
        "coffer anonymize Trips.sqlite Small.sqlite --sample 100 --keep TagEntity.name",
      ],
      statuses: [
        .unusableInput: "the source, an entity or an object does not exist", .busy: nil,
        .damaged: nil, .newerFormat: nil, .outputExists: nil,
        .refused: "refused: choices that do not suit the store, a different model, no key",
        .usage: "invalid usage, or a finding that the source does not have",
      ]))

  @Argument(help: .value("source", "The store or the archive."), completion: .file())
  var source: String

  @Argument(help: .value("target", "The store, archive or folder to create."), completion: .file())
  var target: String

  @OptionGroup var selecting: SelectionArguments

  @Option(
    help: .value("object", "Take this object, such as Person/p7; repeatable."),
    transform: Self.object)
  var around: [ManagedObjectID] = []

  @Option(
    name: .customLong("finding"),
    help: .value(
      "code", "Take the objects with this finding, and all related objects; repeatable."),
    completion: .list(FindingCode.allCases.map(\.text)), transform: KnownName.code)
  var findings: [FindingCode] = []

  @Option(help: .value("count", "Take at most this many objects of each root entity."))
  var sample: Int?

  @Option(help: .value("number", "The seed of --sample; the same seed takes the same objects."))
  var seed: UInt64 = 0

  @Option(help: .value("extent", "The relationships whose destinations are taken too."))
  var closure = Choice(AnonymizationOptions.Closure.required)

  @Option(
    name: .customLong("follow"),
    help: .value("name", "Follow this relationship, too: Entity.relationship; repeatable."))
  var followed: [Name] = []

  @Option(
    name: .customLong("stop"),
    help: .value(
      "name", "Follow this relationship only where it is required: Entity.relationship; repeatable."
    ))
  var stopped: [Name] = []

  @Option(
    help: .value("count", "After this many objects, add only required ones."),
    transform: ObjectLimit.init)
  var limit: ObjectLimit?

  @Flag(help: "Explain why each object was included.")
  var explain = false

  @Option(
    name: .customLong("keep"),
    help: .value("name", "Keep the values of this attribute: Entity.attribute; repeatable."))
  var kept: [Name] = []

  @Option(
    help: .value("file", "Replace values by the rules in this JSON file."), completion: .file())
  var rules: String?

  @Flag(help: "Keep all values.")
  var originalValues = false

  @Option(
    name: .customLong("as"),
    help: .value(
      "form",
      "The form of the target: archive, store, csv, ndjson or sqlite (default: by its name, else a store)."
    ), completion: .list(["archive", "store"] + DataFormat.allCases.map(\.rawValue)),
    transform: Self.form)
  var form: AnonymizationTarget?

  @Flag(help: "Replace an existing target.")
  var force = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [target] }

  private static func object(_ text: String) throws -> ManagedObjectID {
    let argument = try ObjectArgument(text, takesURI: false)
    guard let key = argument.primaryKey else {
      throw ValidationError("'\(text)' is not an object, such as Person/p7.")
    }
    return ManagedObjectID(entityName: argument.entityName, primaryKey: key)
  }

  private static func form(_ text: String) throws -> AnonymizationTarget {
    switch text {
    case "archive": return .archive
    case "store": return .store
    default:
      if let format = DataFormat(rawValue: text) { return .tables(format) }
      throw ValidationError(
        "Unknown form '\(text)'. Choose 'archive', 'store', 'csv', 'ndjson' or 'sqlite'.")
    }
  }

  func validate() throws {
    if let sample, sample < 1 {
      throw ValidationError("The sample must have at least 1 object, not \(sample).")
    }
    if originalValues, rules != nil || !kept.isEmpty {
      throw ValidationError(
        "'--original-values' keeps all values: use it without --keep and --rules.")
    }
    if let name = followed.first(where: stopped.contains) {
      throw ValidationError("'--follow' and '--stop' name the same relationship, \(name).")
    }
  }

  private var chosenForm: AnonymizationTarget {
    form ?? (ArchiveCompression(fileName: target) == nil ? .store : .archive)
  }

  private func options(_ environment: WorkEnvironment) throws -> AnonymizationOptions {
    var options = AnonymizationOptions()
    options.selection = selecting.selection
    options.objects = around
    options.findings = findings
    options.sampleCount = sample
    options.seed = seed
    options.closure = closure.value
    options.followed = followed
    options.stopped = stopped
    options.limit = limit?.count
    options.isAnonymous = !originalValues
    options.kept = kept
    if let rules { options.rules = try ReplacementRule.rules(ofFile: rules) }
    options.overwriting = force
    options.environment = environment
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session, model: explaining)
    let path = try session.path(of: source, environment)
    let anonymizer = StoreAnonymizer(options: try options(environment), progress: session.progress)
    let explained: ((AnonymizedObject) throws -> Void)? =
      explain
      ? { object in
        try session.show(AnonymizedObjectMessage(object: object))
      } : nil
    let summary = try anonymizer.anonymize(path, to: target, as: chosenForm, explained: explained)
    try session.show(AnonymizeMessage(summary: summary, target: target))
    return .done
  }
}
