internal import ArgumentParser
internal import CofferKit

/// The command `coffer vault list VAULT`.
struct VaultList: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the backups in a vault.",
    usage: "coffer vault list <vault> [<options>]",
    discussion: HelpText.discussion(
      """
      Lists the backups in a vault by series, the oldest first. Every command that reads archives also \
      reads a backup: VAULT#ID, VAULT#latest, or VAULT@TIME for the latest backup up to a time; \
      with several series, VAULT#SERIES/latest.
      """,
      examples: ["coffer vault list Backups", "coffer verify Backups#latest"],
      statuses: [
        .unusableInput: "it is not a vault; no such store in it",
        .newerFormat: "the vault needs a newer version of coffer",
      ]))

  @Argument(help: .value("vault", "The vault."), completion: .directory)
  var vault: String

  @OptionGroup var series: SeriesOption

  @OptionGroup var output: OutputOptions

  var onlyAnswers: Bool { true }

  func perform(_ session: Session) throws -> ExitStatus {
    let source = try Vault(vault)
    let backups = try source.backups(of: series.name)
    let message = BackupListMessage(
      backups: backups, bases: try source.forgottenBases(of: backups), vault: vault)
    try session.printer.print(message)
    return .done
  }
}

struct BackupListMessage: Message {
  var backups: [Backup]
  /// The files of forgotten backups that they need.
  var bases: [Backup]
  /// The vault, as given.
  var vault: String

  func write(to printer: TextPrinter) throws {
    var last: BackupSeries?
    for backup in backups {
      if backup.series != last {
        try printer.line(printer.style.bold(Terminal.printable(backup.seriesTitle)))
      }
      last = backup.series
      let kind = backup.kind.text + String(repeating: " ", count: 7 - backup.kind.text.count)
      try printer.line(
        "  \(backup.id)  \(backup.moment)  \(kind)  \(QuantityText.bytes(backup.byteCount))\(backup.placeText)"
      )
    }
    let stores = QuantityText.series(in: backups)
    try printer.line(
      "\(QuantityText.count(backups.count, "backup")) of \(stores), \(QuantityText.bytes(neededByteCount))\(basesText)"
    )
  }

  func write(to printer: JSONPrinter) throws {
    for backup in backups { try printer.line(["type": "backup"] + backup.members) }
    try printer.summary(
      .done,
      [
        "vault": vault, "backups": backups.count, "series": Set(backups.map(\.series)).count,
        "stores": Set(backups.map(\.storeUUID)).count, "bytes": Self.byteCount(backups),
        "neededBytes": neededByteCount,
      ])
  }

  /// The size of the files of the backups and of all files that they need.
  private var neededByteCount: Int { Self.byteCount(backups) &+ Self.byteCount(bases) }

  private var basesText: String {
    guard !bases.isEmpty else { return "" }
    let bytes = QuantityText.bytes(Self.byteCount(bases))
    return ", including \(bytes) of forgotten backups that they need"
  }

  private static func byteCount(_ backups: [Backup]) -> Int {
    backups.reduce(0) { $0 &+ $1.byteCount }
  }
}
