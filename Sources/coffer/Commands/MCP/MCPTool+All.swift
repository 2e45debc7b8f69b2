internal import CoreDataArchive

extension MCPTool {
  /// The maximum processor time of an SQL query, in seconds.
  private static let queryTime = 10
  private static let file = Parameter(
    name: "file", kind: .file, isRequired: true,
    meaning: "The path of a store or an archive, as list_stores gives it.")

  /// The tools that a server offers; masked ones do not include SQL, which can compute with values.
  static func all(in folders: [String], isMasked: Bool) -> [MCPTool] {
    let tools = [
      MCPTool(
        name: "list_stores",
        meaning:
          "Lists the Core Data stores below the folders, with size, UUID, entities and date.",
        parameters: [limit, offset]
      ) { _ in folders.map { Command(type: Find.self, arguments: ["--", $0]) } },
      describeModel, query, showObject, sql, diff, verify, explainFinding, history, listBackups,
      checkBackups,
    ]
    return tools.filter { $0.isMaskable || !isMasked }
  }

  private static let describeModel = MCPTool(
    name: "describe_model",
    meaning: """
      Describes the model of a store: the numbers of attributes and relationships of each \
      entity, or all properties of some.
      """,
    parameters: [
      file,
      Parameter(
        name: "entities", kind: .texts, meaning: "The names of the entities to describe in full."),
      limit, offset,
    ],
    isPaged: false,
    edit: { line, arguments in
      let names = arguments.texts("entities")
      guard let value = try? JSONValue.parse(line.utf8), case .object(let object) = value,
        case .string("entity")? = value["type"], case .string(let name)? = value["name"]
      else { return line }
      guard names.isEmpty else { return names.contains(name) ? line : nil }
      let members = object.members.compactMap { member -> JSONObject.Member? in
        switch member.value {
        case .array(let elements):
          JSONObject.Member(key: member.key, value: .number(elements.count))
        case .object: nil
        default: member
        }
      }
      let counted = JSONValue.object(JSONObject(members)).bytes(layout: .compact)
      return String(decoding: counted, as: UTF8.self)
    }
  ) { [Command(type: Model.self, arguments: ["--", $0.text("file")])] }

  private static let query = MCPTool(
    name: "query",
    meaning:
      "Finds objects of an entity and its subentities by an NSPredicate, in the order of their keys.",
    parameters: [
      file,
      Parameter(name: "entity", kind: .text, isRequired: true, meaning: "The name of the entity."),
      Parameter(
        name: "predicate", kind: .text,
        meaning: "A predicate, such as: price > 100 AND title CONTAINS[c] 'x'"),
      limit, offset,
    ],
    isLimited: true
  ) { arguments in
    [
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
      Answers one SELECT in SQLite's SQL. Entities are tables with their keys in the column id (pk \
      in SwiftData stores and wherever an attribute is named id), their attributes, and to-one \
      relationships as keys; many-to-many relationships are tables such as "Person.tags" with \
      source and destination. Dates are ISO 8601 texts.
      """,
    parameters: [
      file,
      Parameter(name: "statement", kind: .text, isRequired: true, meaning: "The statement."),
      limit, offset,
    ],
    isMaskable: false, isLimited: true
  ) { arguments in
    [
      Command(
        type: SQLCommand.self,
        arguments: ["--timeout=\(queryTime)"] + arguments.limit()
          + ["--", arguments.text("file"), arguments.text("statement")])
    ]
  }

  private static let diff = MCPTool(
    name: "diff",
    meaning:
      "Compares two stores or archives, from the first to the second: counts, then differences with values.",
    parameters: [
      Parameter(
        name: "first", kind: .file, isRequired: true, meaning: "The path of the first file."),
      Parameter(
        name: "second", kind: .file, isRequired: true, meaning: "The path of the second file."),
      Parameter(
        name: "match", kind: .texts,
        meaning: "The properties that identify objects, such as Person=email (default: their keys)."
      ),
      limit, offset,
    ]
  ) { arguments in
    [
      Command(
        type: Diff.self,
        arguments: ["--all", "--values"] + arguments.option("--match", "match")
          + ["--", arguments.text("first"), arguments.text("second")])
    ]
  }

  private static let verify = MCPTool(
    name: "verify", meaning: "Checks the integrity of a store or an archive, and lists findings.",
    parameters: [file, limit, offset]
  ) { [Command(type: Verify.self, arguments: ["--", $0.text("file")])] }

  private static let explainFinding = MCPTool(
    name: "explain_finding",
    meaning:
      "Explains a finding: its meaning, cause, effect and fix.",
    parameters: [
      Parameter(
        name: "code", kind: .text, isRequired: true,
        meaning: "The code of the finding, such as dangling-relationship.")
    ]
  ) { [Command(type: Verify.self, arguments: $0.option("--explain", "code"))] }

  private static let history = MCPTool(
    name: "history",
    meaning: """
      Shows the persistent history: transactions, and the objects that each changed; for a vault, \
      the changes of an object from backup to backup.
      """,
    parameters: [
      file,
      Parameter(name: "object", kind: .text, meaning: "An entity, or an object such as Person/p7."),
      Parameter(
        name: "since", kind: .text,
        meaning: "Only transactions since this time, such as 2026-11-01."),
      store, limit, offset,
    ]
  ) { arguments in
    let object = arguments.text("object")
    return [
      Command(
        type: History.self,
        arguments: arguments.option("--since", "since") + arguments.option("--store", "store")
          + ["--", arguments.text("file")] + (object.isEmpty ? [] : [object]))
    ]
  }

  // MARK: Vaults

  private static let vault = Parameter(
    name: "vault", kind: .file, isRequired: true, meaning: "The path of a folder with backups.")
  private static let store = Parameter(
    name: "store", kind: .text,
    meaning: "In a vault, only the backups of this store: its UUID or its name.")

  private static let listBackups = MCPTool(
    name: "list_backups",
    meaning: "Lists the backups in a vault. Each can be read as a file: VAULT#ID, or VAULT#latest.",
    parameters: [vault, store, limit, offset]
  ) { arguments in
    [
      Command(
        type: VaultList.self,
        arguments: arguments.option("--store", "store") + ["--", arguments.text("vault")])
    ]
  }

  private static let checkBackups = MCPTool(
    name: "check_backups",
    meaning: "Checks that the backups in a vault are complete and undamaged.",
    parameters: [vault, limit, offset]
  ) { [Command(type: VaultCheck.self, arguments: ["--", $0.text("vault")])] }
}
