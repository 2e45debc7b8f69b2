internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer diff A B`.
struct Diff: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two stores or archives, object by object.",
    usage: "coffer diff <first> <second> [<options>]",
    discussion: HelpText.discussion(
      """
      Counts the objects that were added, removed and changed from the first store or archive to \
      the second, and shows examples. Matches objects by --match, by uniqueness constraints, or \
      by their primary keys, whichever applies first to their entity.
      """,
      examples: [
        "coffer diff Trips.sqlite Trips.coffer.tar.gz --all --values",
        "coffer diff Monday.coffer.tar.gz Tuesday.coffer.tar.gz --match TagEntity=name",
        "coffer diff Monday.coffer.tar.gz Tuesday.coffer.tar.gz -o Changes.tar.gz",
      ],
      statuses: [
        .done: "no differences", .findings: "differences",
        .unusableInput: "a file does not exist or is of another kind; no such entity", .busy: nil,
        .damaged: nil, .newerFormat: nil, .outputExists: nil,
        .refused: "refused: no key for an encrypted archive; --output: different models",
      ]))

  @Argument(help: .value("first", "The store or archive to start from."), completion: .file())
  var first: String

  @Argument(help: .value("second", "The store or archive to compare with it."), completion: .file())
  var second: String

  @Flag(help: "Show every difference, not only examples.")
  var all = false

  @Flag(help: "Show the differing values too.")
  var values = false

  @OptionGroup var matching: MatchingArguments

  @Option(
    name: .customLong("entity"),
    help: .value("name", "Compare only objects of this entity and its subentities; repeatable."),
    completion: .entity)
  var entities: [Name] = []

  @Option(
    name: .customLong("ignore"),
    help: .value("aspect,...", "Do not compare these: history, metadata, counters, uuid."),
    transform: IgnoredAspects.init)
  var ignored: [IgnoredAspects] = []

  @Option(
    help: .value("path", "Write an HTML page to this file; - is standard output."),
    completion: .file())
  var html: String?

  @Option(
    help: .value("path", "The folder for temporary data that does not fit in memory."),
    completion: .directory)
  var temporaryFolder: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value("file", "Write the changes to this file, for coffer apply."), completion: .file())
  var target: String?

  @Flag(help: "Replace an existing change file or page.")
  var force = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [html, target] }

  var answerStream: StandardStream {
    target == nil && html == nil ? .outputOrNothing : .output
  }

  func validate() throws {
    if force, target == nil, html == nil {
      throw ValidationError("'--force' needs '--output' or '--html'.")
    }
    if target != nil, let option = optionOfOtherRows {
      throw ValidationError(
        "'\(option)' cannot be combined with '--output': change files contain all rows, by key.")
    }
    if output.json, html == "-" {
      throw ValidationError("'--json' and '--html -' cannot be combined.")
    }
    if html != nil, all || values {
      throw ValidationError(
        "'--html' always shows values, and as many differences as a page can hold; omit "
          + "'\(all ? "--all" : "--values")'.")
    }
  }

  /// An option that changes the set of compared rows, which a change file does not allow; nil if none
  /// was given.
  private var optionOfOtherRows: String? {
    if !matching.naturalKeys.isEmpty { return "--match" }
    if !entities.isEmpty { return "--entity" }
    if !ignored.isEmpty { return "--ignore" }
    return html == nil ? nil : "--html"
  }

  func perform(_ session: Session) throws -> ExitStatus {
    if let target { return try writeChanges(to: target, session) }
    if let html { return try writePage(to: html, session) }
    var printing = DifferencePrinting(session, atOnce: all || output.json)
    let comparison = StoreComparison(options: try options(session), progress: printing.progress)
    let (left, right) = try sources(comparison.options.environment, session)
    let summary = try comparison.compare(left, right) { try printing.print($0) }
    let status = try printing.finish(summary, first, second)
    try warn(summary, session)
    return status
  }

  private func writePage(to path: String, _ session: Session) throws -> ExitStatus {
    let comparison = StoreComparison(options: try options(session), progress: session.progress)
    var page = ComparisonPage(first: first, second: second)
    let (left, right) = try sources(comparison.options.environment, session)
    if path != "-" {
      try ModelOutput.requireRoom(at: path, overwriting: force)
    }
    let summary = try comparison.compare(left, right) { page.add($0) }
    let html = Array(page.html(summary).utf8)
    if path != "-" { try ModelOutput.write(html, to: path, overwriting: force) }
    session.eraseProgress()
    let status =
      if path == "-" {
        try answer(html, ComparisonMessage.status(of: summary))
      } else {
        try DifferencePrinting(session, atOnce: false).finish(summary, first, second)
      }
    try warn(summary, session)
    return status
  }

  private func answer(_ page: [UInt8], _ status: ExitStatus) throws -> ExitStatus {
    try answerStream.write(page)
    return status
  }

  /// The files to compare.
  func sources(
    _ environment: WorkEnvironment, _ session: Session
  ) throws -> (first: String, second: String) {
    let first = try session.path(of: first, environment)
    return (first, try session.path(of: second, environment))
  }

  /// The environment of the comparison; without `--model`, an XML store has the model of the other file.
  ///
  /// The model explains the converted store too: one of an old framework has no copy of its model.
  func environment(_ session: Session) throws -> WorkEnvironment {
    var environment = try reading.environment(session, model: explaining)
    guard environment.model == nil else { return environment }
    switch (XMLStoreReader.isXMLStore(first), XMLStoreReader.isXMLStore(second)) {
    case (false, false): break
    case (true, false):
      environment.model = try ModelLoader.load(from: second, environment: environment)
    case (false, true):
      environment.model = try ModelLoader.load(from: first, environment: environment)
    case (true, true):
      throw CofferError(
        .unknownStoreModel, path: first, detail: "both files are XML stores, which have no model",
        advice: .giveModel)
    }
    return environment
  }

  private func options(_ session: Session) throws -> ComparisonOptions {
    var options = ComparisonOptions(
      includesValues: values || html != nil, environment: try environment(session))
    options.describesObjects = html != nil
    options.naturalKeys = matching.naturalKeys
    options.matchesByObjectID = matching.matchByObjectID
    options.entityNames = entities
    options.ignoredAspects = Set(ignored.flatMap(\.aspects))
    options.environment.temporaryFolder = temporaryFolder
    return options
  }

  private func warn(_ summary: ComparisonSummary, _ session: Session) throws {
    for (file, screen) in [(first, summary.firstScreen), (second, summary.secondScreen)] {
      guard let screen else { continue }
      try session.printer.warn(
        "hidden-files",
        "\(file): external data \(screen), so its files were not compared.")
    }
    guard summary.matchesKeysOfDifferentStores else { return }
    let byKey = Set(summary.matching.filter { $0.rule == .objectID }.map(\.entityName))
    let names = summary.entities.map(\.entityName).filter(byKey.contains)
    guard !names.isEmpty else { return }
    let shown = names.listed(max: 5)
    try session.printer.warn(
      "matched-by-key",
      "The stores have different UUIDs, and \(shown) could only be matched by primary keys: objects "
        + "with the same key may have nothing in common. Name the properties that identify them: "
        + "--match Entity=property.")
  }

  /// Writes the changes from the first source to the second to a file.
  func writeChanges(to target: String, _ session: Session) throws -> ExitStatus {
    let comparison = StoreComparison(
      options: ComparisonOptions(environment: try environment(session)),
      progress: session.progress)
    let (left, right) = try sources(comparison.options.environment, session)
    let summary = try comparison.writeChanges(
      from: left, to: right, at: .file(target, overwriting: force))
    session.eraseProgress()
    let status = ComparisonMessage.status(of: summary.differences)
    try session.printer.print(ChangesMessage(summary: summary, file: target, status: status))
    return status
  }
}
