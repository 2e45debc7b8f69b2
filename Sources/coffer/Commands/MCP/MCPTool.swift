internal import CoreDataArchive

/// A tool that the server offers: a command of the program that only reads, with the arguments that it
/// takes.
struct MCPTool: Sendable {
  struct Command: Sendable {
    var type: any StoreCommand.Type
    var arguments: [String]
  }

  struct Parameter: Sendable {
    enum Kind: Sendable {
      /// The path of a file that may be read.
      case file
      case text
      case integer
      case texts

      var typeName: String {
        switch self {
        case .file, .text: "string"
        case .integer: "integer"
        case .texts: "array"
        }
      }
    }

    var name: String
    var kind: Kind
    var isRequired = false
    var meaning: String
  }

  var name: String
  /// The description of its task, for the assistant.
  var meaning: String
  var parameters: [Parameter]
  /// Whether values of objects can be distinguished from the rest of its answer.
  var isMaskable = true
  /// Whether an answer has at most ``usualCount`` lines unless a call sets another number, or else all that
  /// fit.
  var isPaged = true
  /// Whether the command ends with the last line of the page.
  var isLimited = false
  /// Transforms a line of JSON; nil leaves it out.
  var edit: @Sendable (String, MCPArguments) -> String? = { line, _ in line }
  /// The commands of the program behind it.
  var commands: @Sendable (MCPArguments) -> [Command]

  /// The number of lines of an answer in addition to summaries, unless a call sets another number.
  static let usualCount = 50
  static let limit = Parameter(
    name: "limit", kind: .integer,
    meaning: "The maximum number of lines in addition to the summary, \(usualCount) unless given.")
  static let offset = Parameter(
    name: "offset", kind: .integer,
    meaning:
      "The number of lines to skip; the line of the type page has the offset of the next ones.")

  /// The description in the form of the protocol.
  var description: JSONValue {
    var properties = JSONObject()
    for parameter in parameters {
      var schema: JSONObject = [
        "type": .string(parameter.kind.typeName),
        "description": .string(parameter.meaning),
      ]
      if parameter.kind == .texts { schema.append("items", .object(["type": .string("string")])) }
      properties.append(parameter.name, .object(schema))
    }
    let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    return .object([
      "name": .string(name), "description": .string(meaning),
      "inputSchema": .object([
        "type": .string("object"), "properties": .object(properties),
        "required": .array(required), "additionalProperties": .bool(false),
      ]),
      "annotations": .object(["readOnlyHint": .bool(true), "openWorldHint": .bool(false)]),
    ])
  }
}
