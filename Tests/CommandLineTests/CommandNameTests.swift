internal import ArgumentParser
internal import Testing

@testable import coffer

/// Without a name of its own, a command is named by a description of its type: the runtime then compares every
/// conformance of the program, at each start.
@Suite struct CommandNameTests {
  private static func commands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    let configuration = command.configuration
    let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    return [command] + below.flatMap(commands(of:))
  }

  @Test func everyCommandHasAName() {
    let commands = Self.commands(of: CofferCommand.self)
    #expect(commands.count > 25)
    #expect(commands.filter { $0.configuration.commandName == nil }.map { "\($0)" } == [])
  }
}
