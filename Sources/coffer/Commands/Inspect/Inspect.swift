internal import ArgumentParser
internal import CofferKit

/// The command `coffer inspect STORE|ARCHIVE`.
struct Inspect: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a store or an archive contains.",
    usage: """
      coffer inspect <file> [<options>]
      coffer inspect <file> --html <path> [--force] [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Shows the number of objects of each entity, the size, the model, the persistent history and \
      the external data of a store or an archive, without reading its objects. With --verbose, also \
      shows the properties of all entities, the metadata and the other tables. With \
      --content-digest, reads all of a store to compute its content digest. With --html, \
      also reads and verifies the objects, and writes a page with sizes, a diagram of the model and \
      findings. For a change file, shows how much changes, and the \
      content digests before and after.
      """,
      examples: [
        "coffer inspect Trips.sqlite",
        "coffer inspect Trips.coffer.tar.gz --verbose",
        "coffer inspect Trips.sqlite --html Trips.html",
      ],
      statuses: [
        .unusableInput: "the file does not exist or is neither a store nor an archive", .busy: nil,
        .damaged: nil, .newerFormat: nil, .outputExists: nil,
        .refused: "refused: a different model, or no key",
      ]))

  @Argument(help: .value("file", "The store or the archive."), completion: .file())
  var file: String

  @Flag(
    name: .shortAndLong,
    help: "Show all entities with their properties, the metadata and all tables.")
  var verbose = false

  @Flag(help: "Show the values of the metadata too; apps may keep secrets there.")
  var values = false

  @Flag(help: "Compute the content digest that the archive of a store has.")
  var contentDigest = false

  @Option(
    help: .value("path", "Write an HTML page to this file; - is standard output."),
    completion: .file())
  var html: String?

  @Flag(help: "With --html: replace an existing page.")
  var force = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [html] }

  var onlyAnswers: Bool { html == nil }

  func validate() throws {
    if force, html == nil { throw ValidationError("'--force' requires '--html'.") }
    if contentDigest, html != nil {
      throw ValidationError("'--content-digest' and '--html' cannot be combined.")
    }
    if output.json, html == "-" {
      throw ValidationError("'--json' and '--html -' cannot be combined.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session, model: explaining)
    let file = try session.path(of: file, environment)
    if let html { return try writePage(of: file, to: html, environment, session) }
    do {
      var inspection = try StoreInspector(environment: environment).inspect(file)
      if file != self.file { inspection.path = self.file }
      try session.printer.print(
        InspectMessage(
          inspection: inspection, showsValues: values, isVerbose: verbose,
          contentDigest: inspection.kind == .store ? try digest(environment, session) : nil))
      try EmptyStoreNote.print(file, objectCount: inspection.objectCount, session)
    } catch let error as CofferError where error.isAboutChanges {
      let summary = try StoreChanges(file, environment: environment).inspect()
      try session.printer.print(ChangesMessage(summary: summary, file: self.file, isWritten: false))
    }
    return .done
  }

  /// The content digest of the store, if requested.
  private func digest(_ environment: WorkEnvironment, _ session: Session) throws -> String? {
    guard contentDigest else { return nil }
    var options = ExportOptions()
    options.environment = environment
    let exporter = StoreExporter(options: options, progress: session.progress)
    let digest = try exporter.contentDigest(of: InputFile.openStore(file))
    session.eraseProgress()
    return digest
  }

  private func writePage(
    of file: String, to target: String, _ environment: WorkEnvironment, _ session: Session
  ) throws -> ExitStatus {
    LargeBlocks.giveBack()
    if target != "-" {
      // Check the output name before work that may take minutes.
      try ModelOutput.requireRoom(at: target, overwriting: force)
    }
    var report = try StoreReporter(environment: environment, progress: session.progress).report(
      on: file)
    if file != self.file { report.inspection.path = self.file }
    let page = Array(report.html(showsValues: values).utf8)
    if target != "-" { try ModelOutput.write(page, to: target, overwriting: force) }
    session.eraseProgress()
    if target == "-" {
      try StandardStream.output.write(page)
    } else {
      try session.printer.print(PageMessage(report: report, showsValues: values, path: target))
    }
    return .done
  }
}
