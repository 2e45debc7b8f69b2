internal import ArgumentParser

/// The commands `coffer tables …`.
struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables",
    abstract: "Export objects to tables, or make a store from tables.",
    usage: "coffer tables <subcommand>",
    subcommands: [TablesImport.self, TablesExport.self])
}
