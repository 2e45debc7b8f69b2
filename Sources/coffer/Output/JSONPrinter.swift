internal import CofferKit
internal import CoreDataArchive

/// Prints lines of JSON.
///
/// Each is an object with a `type`; the last is the summary.
///
/// Later versions may add members, but never rename or remove any.
struct JSONPrinter {
  let answer: LineWriter
  let command: String

  init(_ command: String, answer stream: StandardStream) {
    self.command = command
    answer = LineWriter(stream)
  }

  /// Writes a line, which begins with its `type`.
  func line(_ members: JSONMembers) throws { try answer.line(Self.bytes(members)) }

  /// Writes the last line.
  func summary(_ status: ExitStatus, _ members: JSONMembers) throws {
    try line(["type": "summary", "command": command, "status": status.rawValue] + members)
  }

  /// Prints a warning to standard error.
  func warn(_ code: String, _ message: String) throws {
    let line = Self.bytes(["type": "warning", "code": code, "message": message])
    try StandardStream.error.write(line + [0x0A])
  }

  /// Prints a failure to standard error.
  static func fail(_ failure: Failure) {
    let line = bytes([
      "type": "error", "code": failure.code, "message": failure.message,
      "hint": orNull(failure.hint), "status": failure.status.rawValue,
    ])
    try? StandardStream.error.write(line + [0x0A])
  }

  /// Writes everything not yet written.
  func finish() throws { try answer.flush() }

  /// The line for a state of the progress, with its line feed.
  static func progress(_ progress: WorkProgress, elapsed: Duration) -> [UInt8] {
    let milliseconds = (elapsed / .milliseconds(1)).rounded()
    return bytes([
      "type": "progress", "phase": progress.phase.rawValue, "completed": progress.completed,
      "total": progress.total, "bytes": progress.byteCount,
      "seconds": JSONValue.real(milliseconds / 1000),
    ]) + [0x0A]
  }

  private static func bytes(_ members: JSONMembers) -> [UInt8] {
    members.json.bytes(layout: .compact)
  }
}

/// A value of a member of a line.
protocol JSONConvertible {
  var json: JSONValue { get }
}

extension String: JSONConvertible { var json: JSONValue { .string(self) } }
extension Bool: JSONConvertible { var json: JSONValue { .bool(self) } }
extension Int: JSONConvertible { var json: JSONValue { .number(self) } }
extension Int32: JSONConvertible { var json: JSONValue { .integer(Int64(self)) } }
extension Int64: JSONConvertible { var json: JSONValue { .integer(self) } }
extension Name: JSONConvertible { var json: JSONValue { .string(text) } }
extension JSONValue: JSONConvertible { var json: JSONValue { self } }
extension Array: JSONConvertible where Element: JSONConvertible {
  var json: JSONValue { .array(map(\.json)) }
}

/// The value, or `null` for nil, which a member otherwise omits.
func orNull(_ value: (any JSONConvertible)?) -> JSONValue { value?.json ?? .null }

/// Members of a line of JSON, in order.
struct JSONMembers: JSONConvertible, ExpressibleByDictionaryLiteral {
  private var object: JSONObject

  var json: JSONValue { .object(object) }
  var isEmpty: Bool { object.members.isEmpty }

  init(_ object: JSONObject = JSONObject()) { self.object = object }

  init(_ members: JSONMembers) { self = members }

  /// Creates members; one with the value nil is left out.
  init(dictionaryLiteral elements: (String, (any JSONConvertible)?)...) {
    object = JSONObject()
    for (key, value) in elements { append(key, value) }
  }

  /// Appends a member; nil appends nothing.
  mutating func append(_ key: String, _ value: (any JSONConvertible)?) {
    object.append(key, value?.json)
  }

  mutating func append(contentsOf other: JSONMembers) { self = self + other }

  static func + (first: JSONMembers, second: JSONMembers) -> JSONMembers {
    var all = first
    all.object.members += second.object.members
    return all
  }
}

extension JSONValue {
  static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
