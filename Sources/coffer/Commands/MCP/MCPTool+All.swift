internal import CofferKit

extension MCPTool {
  /// The most processor time of a query of SQL, in seconds.
  private static let queryTime = 10
  /// The rows and objects that are given unless a call asks for another number.
  static let usualCount = 50
  /// The argument that asks for another number.
  static let limitName = "limit"

  private static let file = Parameter(
    name: "file", kind: .file, isRequired: true,
    meaning: "The path of a store or an archive, as list_stores gives it.")

  private static func limit(_ results: String) -> Parameter {
    Parameter(
      name: limitName, kind: .integer, meaning: "The most \(results), \(usualCount) unless given.")
  }

  /// The tools that a server offers.
  ///
  /// - Parameters:
  ///   - folders: the folders whose files may be read.
  ///   - isMasked: whether answers have no values of objects.
  /// - Returns: the tools; masked ones do not include SQL, which can compute with values.
  static func all(in folders: [String], isMasked: Bool) -> [MCPTool] {
    let tools = [
      MCPTool(
        name: "list_stores",
        meaning:
          "Lists the Core Data stores below the folders, with size, UUID, entities and date.",
        parameters: []
      ) { _ in folders.map { Command(type: Find.self, arguments: ["--", $0]) } },
      describeModel, query, showObject, sql, diff, verify, explainFinding, history,
    ]
    return tools.filter { $0.isMaskable || !isMasked }
  }

  private static let describeModel = MCPTool(
    name: "describe_model",
    meaning: "Describes the model of a store: entities with their attributes and relationships.",
    parameters: [file]
  ) { [Command(type: Model.self, arguments: ["--", $0.text("file")])] }

  private static let query = MCPTool(
    name: "query",
    meaning:
      "Finds objects of an entity and its subentities by an NSPredicate, in the order of their keys.",
    parameters: [
      file,
      Parameter(
        name: "entity", kind: .text, isRequired: true, meaning: "The name of the entity."),
      Parameter(
        name: "predicate", kind: .text,
        meaning: "A predicate, such as: price > 100 AND title CONTAINS[c] 'x'"),
      limit("objects"),
    ]
  ) { arguments in
    return [
      Command(
        type: Show.self,
        arguments: arguments.limit()
          + arguments.option("--where", "predicate")
          + ["--", arguments.text("file"), arguments.text("entity")])
    ]
  }

  private static let showObject = MCPTool(
    name: "show_object",
    meaning: "Shows one object with its attributes and relationships.",
    parameters: [
      file,
      Parameter(
        name: "object", kind: .text, isRequired: true, meaning: "The object, such as Person/p7."),
      Parameter(
        name: "follow", kind: .texts,
        meaning: "Relationships whose destinations are shown as well."),
    ]
  ) { arguments in
    [
      Command(
        type: Show.self,
        arguments: arguments.option("--follow", "follow")
          + ["--", arguments.text("file"), arguments.text("object")])
    ]
  }

  private static let sql = MCPTool(
    name: "sql",
    meaning: """
      Answers one SELECT in SQLite's SQL. Entities are tables with the column id, their attributes, and \
      to-one relationships as keys; many-to-many relationships are tables such as "Person.tags" with \
      source and destination. Dates are ISO 8601 texts.
      """,
    parameters: [
      file,
      Parameter(name: "statement", kind: .text, isRequired: true, meaning: "The statement."),
      limit("rows"),
    ],
    isMaskable: false
  ) { arguments in
    return [
      Command(
        type: SQLCommand.self,
        arguments: ["--timeout=\(queryTime)"] + arguments.limit()
          + ["--", arguments.text("file"), arguments.text("statement")])
    ]
  }

  private static let diff = MCPTool(
    name: "diff",
    meaning: "Compares two stores or archives, from the first to the second.",
    parameters: [
      Parameter(
        name: "first", kind: .file, isRequired: true, meaning: "The path of the first file."),
      Parameter(
        name: "second", kind: .file, isRequired: true, meaning: "The path of the second file."),
      Parameter(
        name: "match", kind: .texts,
        meaning: "What identifies objects, such as Person=email; otherwise their keys."),
    ]
  ) { arguments in
    [
      Command(
        type: Diff.self,
        arguments: arguments.option("--match", "match")
          + ["--", arguments.text("first"), arguments.text("second")])
    ]
  }

  private static let verify = MCPTool(
    name: "verify", meaning: "Checks the integrity of a store or an archive, and lists findings.",
    parameters: [file]
  ) { [Command(type: Verify.self, arguments: ["--", $0.text("file")])] }

  private static let explainFinding = MCPTool(
    name: "explain_finding",
    meaning:
      "Explains a finding: what it means, where it comes from, what it does and how to fix it.",
    parameters: [
      Parameter(
        name: "code", kind: .text, isRequired: true,
        meaning: "The code of the finding, such as dangling-relationship.")
    ]
  ) { [Command(type: Verify.self, arguments: $0.option("--explain", "code"))] }

  private static let history = MCPTool(
    name: "history",
    meaning: "Shows the persistent history: transactions, and the objects that each changed.",
    parameters: [
      file,
      Parameter(name: "object", kind: .text, meaning: "An entity, or an object such as Person/p7."),
      Parameter(
        name: "since", kind: .text, meaning: "Only transactions since then, such as 2026-11-01."),
    ]
  ) { arguments in
    let object = arguments.text("object")
    return [
      Command(
        type: History.self,
        arguments: arguments.option("--since", "since") + ["--", arguments.text("file")]
          + (object.isEmpty ? [] : [object]))
    ]
  }
}
