internal import ArgumentParser
internal import CofferKit

/// The command `coffer inspect STORE|ARCHIVE`.
struct Inspect: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a store or an archive holds.",
    usage: "coffer inspect <file> [<options>]",
    discussion: HelpText.discussion(
      """
      Counts the objects of each entity and shows the model, the metadata, the persistent history \
      and the external data of a store or an archive, without reading its objects.
      """,
      examples: [
        "coffer inspect Trips.sqlite",
        "coffer inspect Trips.coffer.tar.gz --json",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.unusableInput, "the file does not exist or is neither a store nor an archive"),
        (.busy, nil), (.damaged, nil), (.newerFormat, nil),
        (.refused, "refused: another model than --model, or an encrypted archive without its key"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store or the archive.", valueName: "file"))
  var file: String

  @Flag(help: "Show the values of the metadata too; apps may keep secrets there.")
  var values = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let access = try reading.access(session)
    var inspector = StoreInspector(access: .inPlace, archiveAccess: access)
    inspector.model = try explaining.given(access)
    let inspection = try inspector.inspect(file)
    try session.report.inspected(inspection, showsValues: values)
    return .done
  }
}
