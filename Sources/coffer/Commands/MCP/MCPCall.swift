internal import ArgumentParser
internal import CoreDataArchive
internal import CoreDataModel

/// Runs a tool: the commands of the program that it stands for, with their lines of JSON as the answer.
struct MCPCall {
  /// The most bytes of an answer.
  static let longestAnswer = 256 << 10

  /// Whether values of objects are replaced.
  let isMasked: Bool

  /// Runs a tool.
  ///
  /// - Returns: the lines of the answer, or the message of an error.
  func run(
    _ tool: MCPTool, _ given: JSONObject, in places: MCPPlaces
  ) -> (text: String, isError: Bool) {
    do {
      let arguments = try MCPArguments(given, of: tool, in: places)
      var lines: [String] = []
      var room = Self.longestAnswer
      for command in tool.commands(arguments) {
        let answer = try run(command, room: room)
        lines += answer.text.map { isMasked ? ValueMask.line($0) : String($0) }
        room -= answer.text.reduce(0) { $0 + $1.utf8.count }
        guard !answer.isCut, room > 0 else {
          lines.append("The answer is longer than \(Self.longestAnswer >> 10) KiB. Ask for less.")
          break
        }
      }
      return (lines.joined(separator: "\n"), false)
    } catch {
      let failure = Failure(error, isInterrupted: false)
      let hint = failure.hint.map { "\nHint: \($0)" } ?? ""
      let excerpt = failure.excerpt.map { "\n\($0)" }.joined()
      return ("\(failure.code): \(failure.message)\(excerpt)\(hint)", true)
    }
  }

  /// Runs a command.
  private func run(
    _ tool: MCPTool.Command, room: Int
  ) throws -> (text: [Substring], isCut: Bool) {
    let name = tool.type._commandName
    let parsed: any ParsableCommand
    do {
      parsed = try tool.type.parseAsRoot(["--json", "--progress=never"] + tool.arguments)
    } catch {
      throw CofferError(.incompatibleChoices, path: name, detail: tool.type.message(for: error))
    }
    guard let command = parsed as? any StoreCommand else { return ([], false) }
    let captured = CapturedAnswer(limit: room)
    let stream = StandardStream(descriptor: -1, name: "answer", capture: captured)
    let session = Session(command.output, command: name, answer: stream)
    do {
      _ = try command.perform(session)
      try session.printer.finish()
    } catch {
      if !captured.lines.isCut { throw InputAdvice.explaining(session.sources.named(error)) }
    }
    return captured.lines
  }
}
