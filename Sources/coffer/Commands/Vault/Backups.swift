internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive

/// The command `coffer backups VAULT`.
struct Backups: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the backups in a vault.",
    usage: "coffer backups <vault> [<options>]",
    discussion: HelpText.discussion(
      """
      Lists the backups in a vault, those of each store together, the oldest first. Reads only the \
      names of files. Every command that reads archives takes a backup in their place: VAULT#ID, \
      VAULT#latest, or VAULT@TIME for the latest until a time; of one of several stores, \
      VAULT#STORE/latest or VAULT#STORE@TIME.
      """,
      examples: ["coffer backups Backups", "coffer verify Backups#latest"],
      statuses: [
        (.done, nil), (.failed, nil), (.unusableInput, "it is not a vault; no such store in it"),
        (.newerFormat, "the vault needs a newer version of coffer"), (.usage, nil),
        (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The vault.", valueName: "vault"), completion: .directory)
  var vault: String

  @Option(
    help: ArgumentHelp(
      "List only the backups of this store: its UUID or its name.", valueName: "store"))
  var store: String?

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let backups = try Vault(vault).backups(of: store)
    try session.printer.print(BackupListMessage(backups: backups, vault: vault))
    return .done
  }
}

/// The backups in a vault.
struct BackupListMessage: Message {
  var backups: [Backup]
  /// The vault, as given.
  var vault: String

  func write(to printer: TextPrinter) throws {
    var last: String?
    for backup in backups {
      if backup.storeUUID != last {
        let name = backup.storeName.map { "\($0), " } ?? ""
        try printer.line(
          printer.style.bold(Terminal.printable("\(name)\(backup.storeUUID)")))
      }
      last = backup.storeUUID
      let kind = backup.kind.text + String(repeating: " ", count: 7 - backup.kind.text.count)
      try printer.line(
        "  \(backup.id)  \(backup.time)  \(kind)  \(QuantityText.bytes(backup.byteCount))")
    }
    let stores = QuantityText.count(Set(backups.map(\.storeUUID)).count, "store")
    try printer.line(
      "\(QuantityText.count(backups.count, "backup")) of \(stores), \(QuantityText.bytes(byteCount))"
    )
  }

  func write(to printer: JSONPrinter) throws {
    for backup in backups { try printer.line("backup", backup.members) }
    try printer.summary(
      .done,
      [
        "vault": .string(vault), "backups": .number(backups.count),
        "stores": .number(Set(backups.map(\.storeUUID)).count), "bytes": .number(byteCount),
      ])
  }

  private var byteCount: Int { backups.reduce(0) { $0 &+ $1.byteCount } }
}
