internal import ArgumentParser

/// The commands `coffer vault …`.
struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "List, check, test-restore or forget the backups in a vault.",
    usage: "coffer vault <subcommand>",
    subcommands: [VaultList.self, VaultCheck.self, VaultDrill.self, VaultForget.self])
}
