internal import CoreDataModel

extension TodoModel {
  static let item = EntityDescription(
    name: "ItemEntity",
    className: "ItemEntity",
    isAbstract: true,
    attributes: [
      .init(name: "createdAt", type: .date, isOptional: false, isIndexedBySpotlight: true),
      .init(name: "extra", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData"),
      .init(name: "flags", type: .integer16, isOptional: false, defaultValue: .integer(0)),
      .init(
        name: "isSelected", type: .boolean, isTransient: true, userInfo: ["scope": .string("ui")]),
      .init(name: "link", type: .uri, defaultValue: .url("https://example.org/")),
      .init(name: "modifiedAt", type: .date),
      .init(name: "position", type: .integer32, isOptional: false, defaultValue: .integer(-1)),
      .init(name: "sequence", type: .integer64, isOptional: false, defaultValue: .integer(0)),
      .init(
        name: "title", type: .string, isOptional: false, defaultValue: .string("Untitled – ✏️"),
        userInfo: ["comment": .string("shown in lists"), "order": .string("1")]),
      .init(
        name: "uuid", type: .uuid, isOptional: false, preservesValueInHistoryOnDeletion: true),
    ],
    relationships: [
      toMany(
        "attachments", "AttachmentEntity", inverse: "item", isOrdered: true, maxCount: 20,
        deleteRule: .cascade)
    ],
    fetchIndexes: [
      FetchIndexDescription(
        name: "byCreation",
        elements: [
          .init(propertyName: "createdAt", isAscending: false),
          .init(propertyName: "title"),
        ])
    ],
    userInfo: ["owner": .string("core team")])

  static let note = EntityDescription(
    name: "NoteEntity",
    className: "NoteEntity",
    superentityName: "ItemEntity",
    attributes: [
      .init(name: "colorID", type: .integer16),
      .init(name: "isLocked", type: .boolean, isOptional: false, defaultValue: .bool(false)),
      .init(name: "text", type: .string),
    ],
    relationships: [
      toOne("author", "PersonEntity", inverse: nil, deleteRule: .noAction),
      toMany("backlinks", "NoteEntity", inverse: "links"),
      toMany("links", "NoteEntity", inverse: "backlinks", isOrdered: true),
    ],
    renamingIdentifier: "MemoEntity")

  static let todo = EntityDescription(
    name: "TodoEntity",
    className: "TodoEntity",
    superentityName: "ItemEntity",
    attributes: [
      .init(name: "colorId", type: .integer32),
      .init(name: "completedAt", type: .date),
      .init(name: "cost", type: .decimal, defaultValue: .integer(0)),
      .init(
        name: "dueDate", type: .date, defaultValue: .date(473_385_600),
        renamingIdentifier: "deadline"),
      .init(name: "estimate", type: .double, defaultValue: .real(0.5)),
      .init(name: "isDone", type: .boolean, isOptional: false, defaultValue: .bool(false)),
      .init(
        name: "locationName", type: .string, isReadOnly: true,
        derivation: Derivation(expression: .keyPath(operand: nil, "location.name"))),
      .init(
        name: "priority", type: .integer16, isOptional: false, defaultValue: .integer(3),
        validationPredicates: [
          rule(.evaluatedObject, 3, .integer(0), warning: 1620),
          rule(.evaluatedObject, 1, .integer(5), warning: 1610),
        ]),
      .init(name: "progress", type: .float),
      .init(name: "text", type: .string),
    ],
    relationships: [
      toMany("assignees", "PersonEntity", inverse: "assignments", isOrdered: true),
      toOne("location", "LocationEntity", inverse: "todos"),
      toOne("parent", "TodoEntity", inverse: "subtasks"),
      toMany("subtasks", "TodoEntity", inverse: "parent", deleteRule: .cascade),
      toMany("tags", "TagEntity", inverse: "todos"),
    ],
    fetchIndexes: [
      FetchIndexDescription(
        name: "openByPriority",
        elements: [
          .init(propertyName: "priority", isAscending: false),
          .init(propertyName: "dueDate"),
        ],
        partialIndexPredicate: .comparison(
          .keyPath(operand: nil, "isDone"), .init(rawValue: 4), .constant(.bool(false))))
    ])

  static let recurringTodo = EntityDescription(
    name: "RecurringTodoEntity",
    className: "RecurringTodoEntity",
    superentityName: "TodoEntity",
    attributes: [
      .init(name: "interval", type: .integer64, isOptional: false, defaultValue: .integer(1)),
      .init(name: "nextDate", type: .date),
    ])
}
