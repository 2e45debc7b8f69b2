internal import ArgumentParser
internal import CoreDataArchive

/// The command `coffer mcp FOLDER…`.
struct MCPCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serve stores to an assistant through the Model Context Protocol.",
    usage: "coffer mcp <folder> … [--mask]",
    discussion: HelpText.discussion(
      """
      Answers requests of the Model Context Protocol on standard input and output, until \
      standard input ends: list stores, describe models, query objects, compare, verify, explain \
      findings, show history and list backups. Reads only files in the folders and their \
      subfolders, and never writes. Answers have at most 256 KiB; longer ones come in pages. With --mask, \
      answers contain no values of objects.
      """,
      examples: ["coffer mcp Trips.xcappdata", "coffer mcp . --mask"],
      statuses: [.done: "standard input has ended", .unusableInput: "a folder does not exist"]))

  @Argument(help: .value("folder", "The folders whose files may be read."), completion: .directory)
  var folders: [String]

  @Flag(help: "Replace the values of objects in answers, and refuse SQL.")
  var mask = false

  @OptionGroup(visibility: .hidden) var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let server = MCPServer(places: try MCPPlaces(folders), isMasked: mask)
    try MCPClient(server, session.answer).answerCalls()
    return .done
  }
}

/// Answers the messages of a client of the Model Context Protocol.
///
/// Source: <https://modelcontextprotocol.io/specification/2025-06-18>.
struct MCPServer: Sendable {
  /// The versions of the protocol that this server supports, the newest first.
  private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]

  private let places: MCPPlaces
  private let isMasked: Bool
  private let tools: [MCPTool]

  init(places: MCPPlaces, isMasked: Bool) {
    self.places = places
    self.isMasked = isMasked
    tools = MCPTool.all(in: places.folders, isMasked: isMasked)
  }

  /// The maximum number of bytes of a message.
  static let longestMessage = 1 << 20

  /// The answer to a longer message.
  static var tooLong: JSONValue {
    failure(nil, -32600, "a message has more than \(longestMessage >> 20) MiB")
  }

  /// The answer to a message that is not JSON.
  static func malformed(_ error: JSONError) -> JSONValue {
    failure(nil, -32700, "\(error.kind.rawValue) at byte \(error.offset + 1)")
  }

  /// Whether a request calls a tool, or is a batch with such a request.
  static func isCall(_ request: JSONValue) -> Bool {
    if case .array(let requests) = request { return requests.contains(where: isCall) }
    return request["method"] == .string("tools/call") && request["id"] != nil
  }

  /// Answers a request of JSON-RPC 2.0 or a batch of them; nil if no answer is expected.
  ///
  /// `isWanted` tells whether the client still waits for the answer of a call.
  func answer(_ request: JSONValue, _ isWanted: @escaping () -> Bool = { true }) -> JSONValue? {
    if case .array(let requests) = request {
      if requests.isEmpty { return Self.failure(nil, -32600, "the batch is empty") }
      let answers = requests.compactMap { answer($0, isWanted) }
      return answers.isEmpty ? nil : .array(answers)
    }
    guard case .object = request else { return Self.failure(nil, -32600, "this is not a request") }
    guard case .string(let method)? = request["method"] else {
      // A response: this server asks nothing.
      return request["id"] == nil || request["result"] != nil || request["error"] != nil
        ? nil : Self.failure(request["id"], -32600, "there is no method")
    }
    guard let id = request["id"] else { return nil }
    switch method {
    case "initialize": return Self.success(id, initialization(request["params"]))
    case "ping": return Self.success(id, [:])
    case "tools/list":
      return Self.success(id, ["tools": .array(tools.map(\.description))])
    case "tools/call": return call(id, request["params"], isWanted)
    default: return Self.failure(id, -32601, "there is no method \(method)")
    }
  }

  private func initialization(_ parameters: JSONValue?) -> JSONObject {
    var version = Self.versions[0]
    if case .string(let asked)? = parameters?["protocolVersion"], Self.versions.contains(asked) {
      version = asked
    }
    return [
      "protocolVersion": .string(version),
      "capabilities": .object(["tools": .object([:])]),
      "serverInfo": .object(["name": .string("coffer"), "version": .string(Version.text)]),
      "instructions": .string(
        "Reads Core Data and SwiftData stores. Begin with list_stores, then describe_model."),
    ]
  }

  private func call(
    _ id: JSONValue, _ parameters: JSONValue?, _ isWanted: @escaping () -> Bool
  ) -> JSONValue {
    guard case .string(let name)? = parameters?["name"],
      let tool = tools.first(where: { $0.name == name })
    else { return Self.failure(id, -32602, "there is no such tool") }
    var given = JSONObject()
    if case .object(let object)? = parameters?["arguments"] { given = object }
    let outcome = MCPCall(isMasked: isMasked, isWanted: isWanted)
      .run(tool, given, in: places)
    return Self.success(
      id,
      [
        "content": .array([.object(["type": .string("text"), "text": .string(outcome.text)])]),
        "isError": .bool(outcome.isError),
      ])
  }

  private static func success(_ id: JSONValue, _ result: JSONObject) -> JSONValue {
    .object(["jsonrpc": .string("2.0"), "id": id, "result": .object(result)])
  }

  private static func failure(_ id: JSONValue?, _ code: Int64, _ message: String) -> JSONValue {
    .object([
      "jsonrpc": .string("2.0"), "id": id ?? .null,
      "error": .object(["code": .integer(code), "message": .string(message)]),
    ])
  }
}
