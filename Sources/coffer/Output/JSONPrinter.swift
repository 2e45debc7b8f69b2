internal import CofferKit
internal import CoreDataArchive

/// Prints lines of JSON.
///
/// Each is an object with a `type`; the last is the summary.
///
/// Later versions may add members, but never rename or remove any.
struct JSONPrinter {
  let answer: LineWriter
  /// The name of the command.
  let command: String

  init(_ command: String, answer stream: StandardStream) {
    self.command = command
    answer = LineWriter(stream)
  }

  /// Writes a line of a type.
  func line(_ type: String, _ members: JSONObject) throws {
    try answer.line(Self.line(type, members))
  }

  /// Writes the last line.
  func summary(_ status: ExitStatus, _ members: JSONObject) throws {
    var all: JSONObject = [
      "command": .string(command), "status": .integer(Int64(status.rawValue)),
    ]
    all.append(contentsOf: members)
    try line("summary", all)
  }

  /// Prints a warning to standard error.
  func warn(_ code: String, _ message: String) throws {
    let line = Self.line("warning", ["code": .string(code), "message": .string(message)])
    try StandardStream.error.write(line + [0x0A])
  }

  /// Prints a failure to standard error.
  static func fail(_ failure: Failure) {
    let line = line(
      "error",
      [
        "code": .string(failure.code), "message": .string(failure.message),
        "hint": .text(failure.hint) ?? .null,
        "status": .integer(Int64(failure.status.rawValue)),
      ])
    try? StandardStream.error.write(line + [0x0A])
  }

  /// Writes everything not yet written.
  func finish() throws { try answer.flush() }

  /// The line for a state of the progress, with its line feed.
  ///
  /// - Parameters:
  ///   - progress: the state.
  ///   - elapsed: the time since the command started.
  /// - Returns: the text.
  static func progress(_ progress: WorkProgress, elapsed: Duration) -> [UInt8] {
    var members: JSONObject = [
      "phase": .string(progress.phase.rawValue), "completed": .number(progress.completed),
      "total": progress.total.map(JSONValue.number),
      "bytes": progress.byteCount.map(JSONValue.number),
    ]
    let milliseconds = (elapsed / .milliseconds(1)).rounded()
    members.append("seconds", .real(milliseconds / 1000))
    return line("progress", members) + [0x0A]
  }

  private static func line(_ type: String, _ members: JSONObject) -> [UInt8] {
    var object: JSONObject = ["type": .string(type)]
    object.append(contentsOf: members)
    return JSONValue.object(object).bytes(layout: .compact)
  }
}

extension JSONValue {
  /// A count.
  static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }

  /// A text; nil omits the member.
  static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
}

extension JSONObject {
  /// Appends the members of another object.
  mutating func append(contentsOf other: JSONObject) { members += other.members }
}
