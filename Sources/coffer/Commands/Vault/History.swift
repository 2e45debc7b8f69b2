internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer history FILE [ENTITY[/pN]]`.
struct History: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show who changed what when, or follow an object through the backups in a vault.",
    usage: """
      coffer history <file> [<entity>[/p<key>]] [<options>]
      coffer history <vault> <entity>/p<key> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      For a store, an archive or a backup, shows the persistent history: each transaction with its \
      time, author, context and program, and the objects that it inserted, updated and deleted, \
      and, if known, the properties that changed. Shows only the changes of one entity \
      or object if you name it.

      For a vault, shows the first backup that has the object, each change of its attributes and \
      relationships with the backup that has it first, and its deletion. Names the authors of \
      changes if the persistent history does. Backups without changes are not read.
      """,
      examples: [
        "coffer history Trips.sqlite --since 2026-11-01",
        "coffer history Trips.sqlite TagEntity/p1 --json",
        "coffer history Backups TagEntity/p1",
      ],
      statuses: [
        .unusableInput:
          "the file, entity, object or series does not exist",
        .busy: nil, .damaged: nil, .newerFormat: nil,
        .refused: "refused: a different model, or no key",
      ]))

  @Argument(help: .value("file", "The store, archive, backup or vault."), completion: .file())
  var file: String

  @Argument(
    help: .value(
      "entity[/pkey]", "The entity, or one object by its primary key, such as Person/p7."),
    completion: .entity, transform: { try ObjectArgument($0, takesURI: false) })
  var object: ObjectArgument?

  @Option(
    help: .value("time", "Show transactions from this time on."), transform: Instant.init(argument:)
  )
  var since: Instant?

  @Option(help: .value("name", "Show transactions of this author."))
  var author: String?

  @OptionGroup var series: SeriesOption

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var onlyAnswers: Bool { true }

  /// Whether the file is a vault rather than one of its backups.
  private var isVault: Bool {
    get throws { try BackupReference(file) == nil && Vault.mayBe(at: file) }
  }

  func validate() throws {
    // An error about the name is reported when the file is opened.
    guard let isVault = try? isVault else { return }
    if isVault, object?.primaryKey == nil {
      throw ValidationError("'\(file)' is a vault; name one object, such as Person/p7.")
    }
    if isVault, since != nil || author != nil {
      throw ValidationError("'--since' and '--author' choose transactions of a store.")
    }
    if !isVault, series.name != nil {
      throw ValidationError("'--store' chooses backups of a vault.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session, model: explaining)
    guard try isVault, let object, let key = object.primaryKey else {
      return try showTransactions(environment, session)
    }
    return try follow(object.entityName, key, environment, session)
  }

  // MARK: A store, an archive or a backup

  private func showTransactions(_ environment: WorkEnvironment, _ session: Session) throws
    -> ExitStatus
  {
    let path = try session.path(of: file, environment)
    var options = HistoryOptions(entityName: object?.entityName, primaryKey: object?.primaryKey)
    (options.since, options.author) = (since?.date, author)
    options.environment = environment
    let summary = try HistoryReader(options: options).read(path) { entry in
      try session.printer.print(HistoryEntryMessage(entry: entry))
    }
    let isPart = object != nil || since != nil || author != nil
    try session.printer.print(HistoryMessage(summary: summary, isPart: isPart))
    return .done
  }

  // MARK: A vault

  private func follow(
    _ entity: Name, _ key: Int64, _ environment: WorkEnvironment, _ session: Session
  ) throws -> ExitStatus {
    LargeBlocks.giveBack()
    var source = try Vault(file)
    source.environment = environment
    let summary = try source.history(of: entity, primaryKey: key, in: series.name) { event in
      try session.printer.print(ObjectEventMessage(event: event))
    }
    try session.printer.print(ObjectHistoryMessage(summary: summary, vault: file))
    return .done
  }
}

/// The change of an object between two backups.
struct ObjectEventMessage: Message {
  var event: ObjectEvent

  func write(to printer: TextPrinter) throws {
    let authors = event.authors.isEmpty ? "" : " by \(event.authors.joined(separator: ", "))"
    let text = Terminal.printable("\(event.objectID) \(event.kind.rawValue)\(authors)")
    let line = "\(event.backup.moment)  \(event.backup.id)  \(text)"
    switch event.kind {
    case .added: try printer.line(printer.style.green(line))
    case .removed: try printer.line(printer.style.red(line))
    case .changed: try printer.line(printer.style.yellow(line))
    }
    for property in event.properties {
      let old = event.kind == .added ? "" : "\(property.oldValue ?? "nothing") → "
      try show(property.words, "\(old)\(property.newValue ?? "nothing")", printer)
    }
    for relationship in event.relationships {
      var parts = relationship.added.map { "+ \($0)" } + relationship.removed.map { "- \($0)" }
      if relationship.isReordered { parts.append("other order") }
      try show(relationship.name, parts.joined(separator: ", "), printer)
    }
  }

  private func show(_ name: String, _ text: String, _ printer: TextPrinter) throws {
    try printer.line("  \(Terminal.printable("\(name): \(text)"))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.line([
      "type": "event", "id": event.backup.id, "time": event.backup.moment.description,
      "previous": event.previous?.id, "change": event.kind.rawValue,
      "entity": event.objectID.entityName.text, "object": event.objectID.description,
      "properties": event.properties.map(\.members),
      "relationships": event.relationships.map(Self.members), "authors": event.authors,
    ])
  }

  private static func members(_ relationship: RelationshipDifference) -> JSONMembers {
    [
      "name": relationship.name, "added": relationship.added.map(\.description),
      "removed": relationship.removed.map(\.description), "reordered": relationship.isReordered,
    ]
  }
}

/// The part of a vault that was read to follow an object.
struct ObjectHistoryMessage: Message {
  var summary: ObjectHistorySummary
  /// The vault, as given.
  var vault: String

  func write(to printer: TextPrinter) throws {
    let events = QuantityText.count(summary.eventCount, "change")
    try printer.line("\(events) in \(QuantityText.count(summary.backupCount, "backup"))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "vault": vault, "backups": summary.backupCount, "readBackups": summary.readCount,
        "events": summary.eventCount,
      ])
  }
}
