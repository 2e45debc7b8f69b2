internal import ArgumentParser
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import POSIX

/// Runs a tool: the commands of the program behind it, with their lines of JSON as the answer.
///
/// Each command is a separate process, so it cannot use up the time or the memory of the server, or end it.
struct MCPCall {
  /// The maximum time of a command, in seconds.
  static let longestTime = 60.0

  /// Whether values of objects are replaced.
  let isMasked: Bool
  /// Whether the client still waits for the answer.
  let isWanted: () -> Bool

  func run(
    _ tool: MCPTool, _ given: JSONObject, in places: MCPPlaces
  ) -> (text: String, isError: Bool) {
    do {
      let arguments = try MCPArguments(given, of: tool, in: places)
      let answer = MCPAnswer(arguments.page(of: tool)) { line in
        tool.edit(line, arguments).map { isMasked ? ValueMask.line($0[...]) : $0 }
      }
      for command in tool.commands(arguments) {
        try run(command) { answer.take($0) }
      }
      return (answer.text, false)
    } catch let error as CommandError {
      return (error.text, true)
    } catch {
      let failure = Failure(error, isInterrupted: false)
      let hint = failure.hint.map { "\nHint: \($0)" } ?? ""
      return ("\(failure.code): \(failure.message)\(hint)", true)
    }
  }

  private struct CommandError: Error {
    let text: String
  }

  private func run(_ command: MCPTool.Command, receive: @escaping ([UInt8]) -> Void) throws {
    let words = command.type.path
    let name = words.joined(separator: " ")
    let result: ChildProcess.Result
    do throws(SystemError) {
      result = try ChildProcess.run(
        ChildProcess.ownProgram, words + ["--json", "--progress=never"] + command.arguments,
        environment: ProcessInfo.processInfo.environment, seconds: Self.longestTime,
        isWanted: isWanted, receive: receive)
    } catch {
      let detail =
        switch error.number {
        case ETIMEDOUT: "it took more than \(Int(Self.longestTime)) seconds"
        case E2BIG: "an argument is too long"
        default: error.text
        }
      throw CofferError(
        .incompatibleChoices, path: name, detail: detail, advice: "Request less data.")
    }
    guard [ExitStatus.done, .findings].contains(ExitStatus(rawValue: result.status)) else {
      throw Self.error(name, result)
    }
  }

  /// The error in the lines of standard error; if there are none, the way in which the process ended.
  private static func error(_ name: String, _ result: ChildProcess.Result) -> CommandError {
    for line in result.errorOutput.split(separator: 0x0A).reversed() {
      guard let value = try? JSONValue.parse(Array(line)), case .string("error")? = value["type"],
        case .string(let code)? = value["code"], case .string(let message)? = value["message"]
      else { continue }
      let hint = if case .string(let hint)? = value["hint"] { "\nHint: \(hint)" } else { "" }
      return CommandError(text: "\(code): \(message)\(hint)")
    }
    return CommandError(text: "failed: \(name) ended with the status \(result.status)")
  }
}

/// Replaces the values of objects in a line of JSON.
enum ValueMask {
  /// The members whose content comes from objects.
  private static let members: Set<String> = [
    "attributes", "values", "old", "new", "value", "detail", "examples", "defaultValue",
  ]

  /// The line without values.
  static func line(_ line: Substring) -> String {
    guard let value = try? JSONValue.parse(line.utf8) else { return "" }
    return String(decoding: masked(value).bytes(layout: .compact), as: UTF8.self)
  }

  private static func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(masked))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            JSONObject.Member(
              key: member.key,
              value: isOfObjects(member) ? hidden(member.value) : masked(member.value))
          }))
    default: value
    }
  }

  /// Whether the content of a member comes from objects: a list or a number of attributes comes from a
  /// model.
  private static func isOfObjects(_ member: JSONObject.Member) -> Bool {
    if member.key == "attributes" {
      guard case .object = member.value else { return false }
    }
    return members.contains(member.key)
  }

  /// A description of a value that does not reveal it.
  private static func hidden(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool: .string("a Boolean")
    case .integer, .real: .string("a number")
    case .string(let text): .string("a text of \(text.count) characters")
    case .array(let elements): .array(elements.map(hidden))
    case .object(let object):
      .object(
        JSONObject(object.members.map { JSONObject.Member(key: $0.key, value: hidden($0.value)) }))
    }
  }
}
