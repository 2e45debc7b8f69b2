internal import Foundation
internal import Testing

/// Commands that a page shows, as a script of the shell.
struct CommandBlock: CustomTestStringConvertible {
  /// A command, and the lines that the page shows below it.
  struct Step {
    var command: String
    var output: [String] = []
  }

  /// The page and the number of the first line.
  var place: String
  /// What has to be done before the first command, and that readers need not see: the text of a
  /// comment `<!-- before: … -->` above the block.
  var preparation: String
  /// The commands; where the page shows no output, all of them are one.
  var steps: [Step]

  var testDescription: String { place }

  /// The commands of a page: blocks marked as `sh`, `bash` or `console`, commands in workflows and in the
  /// files of timers, and indented lines that begin with the program's name and have no placeholders.
  static func blocks(of path: String) throws -> [CommandBlock] {
    let page = try MarkdownPage(path)
    var comments: [Int: String] = [:]
    for (number, text) in page.lines {
      if let match = text.firstMatch(of: /^<!-- before: (.*) -->$/) {
        comments[number] = String(match.output.1)
      }
    }
    let fenced = page.blocks.map { block in
      CommandBlock(
        place: "\(path):\(block.line)", preparation: comments[block.line - 2] ?? "",
        steps: steps(block.language, block.text))
    }
    return (fenced + indented(page)).filter { !$0.steps.isEmpty }
  }

  private static func steps(_ language: String, _ text: String) -> [Step] {
    switch language {
    case "sh", "bash": return [Step(command: text)]
    case "yaml":
      let steps = text.matches(of: /(?m)^\s*- (?:run: )?(coffer .*)$/).map(\.output.1)
      let containers = text.matches(of: /(?m)^\s*command: \[(.*)\]$/).map {
        $0.output.1.replacing(", ", with: " ")
      }
      return (steps.map(String.init) + containers.map(String.init)).map { Step(command: $0) }
    case "ini":
      return text.matches(of: /(?m)^ExecStart=(.*)$/).map { Step(command: String($0.output.1)) }
    case "crontab":
      return text.matches(of: /(?m)^(?:\S+ ){5}(.*)$/).map { Step(command: String($0.output.1)) }
    case "xml":
      let list = text.components(separatedBy: "<key>").first { $0.hasPrefix("ProgramArguments<") }
      let words = (list ?? "").matches(of: /<string>(.*)<\/string>/).map { String($0.output.1) }
      return words.isEmpty ? [] : [Step(command: words.joined(separator: " "))]
    case "console":
      var steps: [Step] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("$ ") {
          steps.append(Step(command: String(line.dropFirst(2))))
        } else if !steps.isEmpty {
          steps[steps.count - 1].output.append(String(line))
        }
      }
      return steps
    default: return []
    }
  }

  /// Each line of an indented block is an example of its own.
  private static func indented(_ page: MarkdownPage) -> [CommandBlock] {
    page.lines.filter { isExample($0.text) }.map { number, text in
      CommandBlock(
        place: "\(page.path):\(number)", preparation: "", steps: [Step(command: text)])
    }
  }

  /// Whether a line shows a command, and not the form of one.
  private static func isExample(_ text: String) -> Bool {
    guard text.hasPrefix("    "), text.contains(#/(^|\| )\s*(coffer|make) /#) else { return false }
    return !text.contains(/\b[A-Z]{4,}\b|\[|…|\b[AB]\b/)
  }
}
