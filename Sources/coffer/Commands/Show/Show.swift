internal import ArgumentParser
internal import CofferKit

/// The command `coffer show STORE|ARCHIVE ENTITY[/pN]`.
struct Show: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show objects of a store or an archive.",
    usage: "coffer show <file> <entity>[/p<key>] [<options>]",
    discussion: HelpText.discussion(
      """
      Shows the objects of an entity with their attributes and relationships, from a store or \
      directly from an archive. Shows transformable values as the tree of their keyed archive. \
      For a change file, shows the changes of the objects.
      """,
      examples: [
        "coffer show Trips.sqlite TodoEntity/p1 --follow assignees",
        "coffer show Trips.coffer.tar.gz TodoEntity --where \"isDone == NO\" --limit 5",
        "coffer show Trips.sqlite TodoEntity/p1 --attribute extra --output extra.plist",
      ],
      statuses: [
        .findings: "with --output-folder: a file of external binary data is missing",
        .unusableInput: "the file, entity or object does not exist", .busy: nil, .damaged: nil,
        .newerFormat: nil, .outputExists: nil, .refused: "refused: a different model, or no key",
      ]))

  private static let defaultLimit = 20

  @Argument(help: .value("file", "The store or the archive."), completion: .file())
  var file: String

  @Argument(
    help: .value(
      "entity[/pkey]",
      "The entity, or one object by its primary key, such as Person/p7, or by its URI."),
    completion: .entity,
    transform: { try ObjectArgument($0, takesURI: true) })
  var object: ObjectArgument

  @Option(
    name: .customLong("where"),
    // A condition may begin with a minus.
    parsing: .unconditional,
    help: .value("predicate", "Show only objects that match this predicate; quote texts and dates.")
  )
  var condition: String?

  @Option(
    help: .value("count", "Show at most this many objects, 0 for all (default: 20)."),
    transform: ObjectLimit.init)
  var limit: ObjectLimit?

  @Option(
    name: .customLong("follow"),
    help: .value("relationship", "Show the destinations of this relationship too; repeatable."))
  var followed: [Name] = []

  @OptionGroup var arranging: ShowArguments

  @OptionGroup var extracting: ExtractionArguments

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [extracting.output] }

  var onlyAnswers: Bool { true }

  var answerStream: StandardStream { extracting.isPiped ? .error : .output }

  func validate() throws {
    guard extracting.isUsed else { return }
    if extracting.output != nil, object.primaryKey == nil {
      throw ValidationError(
        "'--output' takes the value of one object, such as \(object.entityName)/p1; use "
          + "'--output-folder' for several.")
    }
    if !followed.isEmpty || !arranging.isEmpty {
      throw ValidationError(
        "'--output' and '--output-folder' cannot be combined with options that arrange objects.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var environment = try reading.environment(session, model: explaining)
    let file = try session.sources.path(
      of: file, composing: &environment, progress: session.progress)
    let browser = ObjectBrowser(environment: environment)
    let count = self.limit?.count ?? Self.defaultLimit
    let limit = count == 0 ? nil : count
    var query = ObjectQuery(
      entityName: object.entityName, primaryKey: object.primaryKey, condition: condition,
      // One extra object shows whether there are more.
      limit: limit.map { $0 < .max ? $0 + 1 : $0 }, followedRelationships: followed)
    query.followLimit = limit ?? .max
    query.storeUUID = object.storeUUID
    query.propertyNames = arranging.columnNames
    query.countsDestinations = true
    query.sortKeys = arranging.sortKeys
    query.recognizesContent = !arranging.raw
    if extracting.isUsed {
      query.limit = self.limit.map(\.count).flatMap { $0 == 0 ? nil : $0 }
      return try extracting.write(query, in: file, isRaw: arranging.raw, browser, session)
    }
    if let names = arranging.groupNames {
      query.limit = nil
      return try showGroups(names, of: query, in: file, limit, browser, session)
    }
    var shown = 0
    do {
      let found = try browser.show(file, query) { object in
        if let limit, shown >= limit { return }
        try session.printer.print(ObjectMessage(object: object, isFirst: shown == 0))
        shown += 1
      }
      try session.printer.print(ShowMessage(count: shown, hasMore: found > shown))
    } catch let error as CofferError where error.isAboutChanges {
      try showChanges(StoreChanges(file, environment: environment), limit, session)
    }
    return .done
  }

  /// Shows the number of objects, or the number with each value.
  private func showGroups(
    _ names: [Name], of query: ObjectQuery, in file: String, _ limit: Int?,
    _ browser: ObjectBrowser, _ session: Session
  ) throws -> ExitStatus {
    let groups = try browser.groups(file, query, by: names)
    let counted = arranging.distinct.isEmpty
    try session.printer.print(
      GroupsMessage(names: names, groups: groups, limit: limit, showsCounts: counted))
    return .done
  }

  private func showChanges(_ changes: StoreChanges, _ limit: Int?, _ session: Session) throws {
    guard condition == nil, followed.isEmpty, arranging.isEmpty, object.storeUUID == nil else {
      throw CofferError(
        .refused, path: file,
        detail: "it holds changes, not whole objects, so they cannot be chosen or arranged",
        advice: "Apply the changes with '--output', and show the new store.")
    }
    var (shown, found) = (0, 0)
    try changes.show(object.entityName, primaryKey: object.primaryKey) { difference in
      found += 1
      if let limit, shown >= limit { return }
      try session.printer.print(DifferenceMessage(difference: .object(difference)))
      shown += 1
    }
    try session.printer.print(ShowMessage(count: shown, hasMore: found > shown))
  }
}

/// The value of `--limit`: a number of objects or rows.
struct ObjectLimit {
  let count: Int

  init(_ text: String) throws {
    guard let count = Int(text), count >= 0 else {
      throw ValidationError("The limit '\(text)' is not a count.")
    }
    self.count = count
  }
}
