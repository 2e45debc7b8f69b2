internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The command `coffer history FILE [ENTITY[/pN]]`.
struct History: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show who changed what when, or follow an object through the backups in a vault.",
    usage: """
      coffer history <file> [<entity>[/p<key>]] [<options>]
      coffer history <vault> <entity>/p<key> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Of a store, an archive or a backup, shows the persistent history: each transaction with its \
      time, author, context and program, and the objects that it inserted, updated and deleted, \
      with the properties that changed where that is known. Shows only the changes of one entity \
      or object if you name it.

      For a vault, shows the first backup that has the object, each change of its attributes and \
      relationships with the backup that has it first, and its deletion. Names the authors of \
      changes where the persistent history does. Backups without changes are not read.
      """,
      examples: [
        "coffer history Trips.sqlite --since 2026-11-01",
        "coffer history Trips.sqlite TagEntity/p1 --json",
        "coffer history Backups TagEntity/p1",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (
          .unusableInput,
          "the file does not exist; no such entity, or no such store or object in the vault"
        ),
        (.busy, nil), (.damaged, nil), (.newerFormat, nil),
        (.refused, "refused: a different model, or no key"), (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(
    help: ArgumentHelp("The store, archive, backup or vault.", valueName: "file"),
    completion: .file())
  var file: String

  @Argument(
    help: ArgumentHelp(
      "The entity, or one object by its primary key, such as Person/p7.",
      valueName: "entity[/pkey]"),
    completion: .entity, transform: { try ObjectArgument($0, takesURI: false) })
  var object: ObjectArgument?

  @Option(
    help: ArgumentHelp("Show transactions from this time on.", valueName: "time"),
    transform: BackupTime.init(argument:))
  var since: BackupTime?

  @Option(help: ArgumentHelp("Show transactions of this author.", valueName: "name"))
  var author: String?

  @Option(
    name: [.customLong("store"), .customLong("series")],
    help: ArgumentHelp(
      "In a vault, the backups of this series: its name or ID, or the store's path, name or UUID.",
      valueName: "store"))
  var store: String?

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  /// Whether the file is a vault, and not one of its backups.
  private var isVault: Bool {
    get throws { try BackupReference(file) == nil && Vault.mayBe(at: file) }
  }

  func validate() throws {
    // What is wrong with the name is said when the file is opened.
    guard let isVault = try? isVault else { return }
    if isVault, object?.primaryKey == nil {
      throw ValidationError("'\(file)' is a vault; name one object, such as Person/p7.")
    }
    if isVault, since != nil || author != nil {
      throw ValidationError("'--since' and '--author' choose transactions of a store.")
    }
    if !isVault, store != nil { throw ValidationError("'--store' chooses backups of a vault.") }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let access = try reading.access(session)
    guard try isVault, let object, let key = object.primaryKey else {
      return try showTransactions(access, session)
    }
    return try follow(object.entityName, key, access, session)
  }

  // MARK: A store, an archive or a backup

  private func showTransactions(_ access: ArchiveAccess, _ session: Session) throws -> ExitStatus {
    let path = try session.sources.path(of: file, access, progress: session.progress)
    var query = HistoryQuery(entityName: object?.entityName, primaryKey: object?.primaryKey)
    (query.since, query.author) = (since, author)
    let reader = HistoryReader(
      access: SourceAccess(
        store: .inPlace, archive: access, model: try explaining.given(access)))
    let summary = try reader.read(path, query) { entry in
      try session.printer.print(HistoryEntryMessage(entry: entry))
    }
    try session.printer.print(HistoryMessage(summary: summary, isPart: query != HistoryQuery()))
    return .done
  }

  // MARK: A vault

  private func follow(
    _ entity: String, _ key: Int64, _ access: ArchiveAccess, _ session: Session
  ) throws -> ExitStatus {
    LargeBlocks.giveBack()
    var source = try Vault(file)
    source.archiveAccess = access
    let summary = try source.history(of: entity, primaryKey: key, in: store) { event in
      try session.printer.print(ObjectEventMessage(event: event))
    }
    try session.printer.print(ObjectHistoryMessage(summary: summary, vault: file))
    return .done
  }
}
