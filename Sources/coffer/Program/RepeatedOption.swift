internal import ArgumentParser
internal import Foundation

/// An option that takes one value but was given more than once; the parser would silently use the last value.
struct RepeatedOption {
  /// The option as typed the second time.
  let name: String

  /// The message of the usage error.
  var message: String { "'\(name)' can be given only once." }

  /// Looks for such an option; nil if there is none.
  init?(in arguments: some Sequence<String>, of command: any ParsableCommand.Type) {
    let typed = Array(arguments.prefix { $0 != "--" })
    guard typed.count(where: { $0.hasPrefix("-") }) > 1 else { return nil }
    let options = Self.options(of: command)
    var seen: Set<Int> = []
    var rest = typed[...]
    while let argument = rest.popFirst() {
      for name in Self.names(in: argument) {
        guard let option = options[name] else { continue }
        guard option.isRepeating || seen.insert(option.number).inserted else {
          self.name = name
          return
        }
        // The next argument is the value, whatever it looks like.
        if !argument.contains("="), !option.isRepeating { _ = rest.popFirst() }
      }
    }
    return nil
  }

  /// The options that an argument names: a long one, or each of a cluster of short ones.
  private static func names(in argument: String) -> [String] {
    if argument.hasPrefix("--") { return [String(argument.prefix { $0 != "=" })] }
    guard argument.hasPrefix("-") else { return [] }
    return argument.dropFirst().prefix { $0 != "=" }.map { "-\($0)" }
  }

  /// The options with a value by their names, synonyms with the same number.
  private static func options(
    of command: any ParsableCommand.Type
  ) -> [String: (number: Int, isRepeating: Bool)] {
    guard let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    else { return [:] }
    var options: [String: (number: Int, isRepeating: Bool)] = [:]
    for (number, option) in (help.command.arguments ?? []).enumerated()
    where option.kind == "option" {
      for name in option.names ?? [] {
        options[(name.kind == "long" ? "--" : "-") + name.name] = (number, option.isRepeating)
      }
    }
    return options
  }

  /// The part of the parser's description of a command that matters here.
  private struct Help: Decodable {
    struct Command: Decodable { let arguments: [Option]? }
    struct Option: Decodable {
      let kind: String
      let isRepeating: Bool
      let names: [Name]?
    }
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    let command: Command
  }
}
