internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer restore VAULT STORE`.
struct Restore: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a store from a vault.",
    usage: """
      coffer restore <vault> <store> [--id <id>] [<options>]
      coffer restore <vault> <store> --at <time> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Restores a store from a backup in a vault, by default the latest. The store appears only when \
      it is complete and checked. For more options: coffer import VAULT#ID STORE.
      """,
      examples: [
        "coffer restore Backups Restored.sqlite",
        "coffer restore Backups Restored.sqlite --at 2026-12-31 --force",
      ],
      statuses: [
        .findings: "the data has errors, and was restored with them",
        .unusableInput: "it is not a vault; no such backup in it",
        .busy: "another program has the store open", .damaged: "the backup is damaged",
        .newerFormat: nil, .outputExists: nil, .refused: "refused: a shared support folder, no key",
      ]))

  @Argument(
    help: .value("vault", "The vault, or a backup in it: VAULT#ID."), completion: .directory)
  var vault: String

  @Argument(help: .value("store", "The store to create."), completion: .file())
  var store: String

  @Option(
    name: .customLong("id"),
    help: .value("id", "The backup, as coffer vault list lists it; or [SERIES/]latest."),
    completion: .backup)
  var id: String?

  @Option(
    name: .customLong("at"),
    help: .value("time", "The latest backup up to this time: 2026-11-20, 2026-11-20T12:00."))
  var time: String?

  @OptionGroup var series: SeriesOption

  @Flag(help: "Replace an existing store with its companion files and support folder.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [store] }

  func validate() throws {
    if id != nil, time != nil {
      throw ValidationError("Use only one of '--id' and '--at'.")
    }
    guard let time else { return }
    do {
      _ = try Instant(endOf: time)
    } catch {
      let hint = error.hint.map { " \($0)" } ?? ""
      throw ValidationError("Invalid value for '--at': \(error.detail).\(hint)")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    // The address of a vault may contain an @ as well.
    let reference =
      vault.contains("#") ? try BackupReference(vault) : (try? BackupReference(vault)) ?? nil
    if reference != nil, id ?? time ?? series.name != nil {
      throw CofferError(
        .refused, path: vault, detail: "it names a backup, and so does an option",
        advice: "Use one of them.")
    }
    let source = try reading.vault(at: reference?.vault ?? vault, session)
    let selection = try reference?.selection ?? selection()
    return try session.printingEvidence {
      // Found beforehand, because another backup may come meanwhile.
      let backup = try source.find(selection)
      let summary = try source.restore(
        BackupSelection(.id(backup.id)), to: store, options: ImportOptions(overwriting: force))
      session.eraseProgress()
      if selection.store?.contains("/") == true, let (place, latest) = backup.earlierPlace {
        try session.printer.warn(
          "series",
          "The backup \(backup.id) is of a store that was then at \(place), and last at \(latest).")
      }
      return try session.showResult(
        ImportMessage(summary: summary, store: store, verb: "Restored", backup: backup))
    }
  }

  private func selection() throws(CofferError) -> BackupSelection {
    var selection = BackupSelection(id: id ?? "latest")
    if let time { selection.choice = .until(try Instant(endOf: time)) }
    if let name = series.name { selection.store = name }
    return selection
  }
}
