internal import CoreDataModel

extension TodoModel {
  static let attachment = EntityDescription(
    name: "AttachmentEntity",
    className: "AttachmentEntity",
    attributes: [
      .init(name: "checksum", type: .binary, isOptional: false, defaultValue: .data([0])),
      .init(name: "content", type: .binary, allowsExternalBinaryDataStorage: true),
      .init(
        name: "fileName", type: .string, isOptional: false, defaultValue: .string(""),
        preservesValueInHistoryOnDeletion: true),
      .init(name: "size", type: .integer64, isOptional: false, defaultValue: .integer(0)),
      .init(
        name: "uuid", type: .uuid, isOptional: false, preservesValueInHistoryOnDeletion: true),
    ],
    relationships: [toOne("item", "ItemEntity", inverse: "attachments")])

  static let location = EntityDescription(
    name: "LocationEntity",
    className: "LocationEntity",
    attributes: [
      .init(name: "name", type: .string, isOptional: false, defaultValue: .string("")),
      .init(
        name: "place", type: .composite,
        elements: [
          .init(name: "longitude", type: .double),
          .init(name: "latitude", type: .double),
          .init(
            name: "address", type: .composite,
            elements: [
              .init(name: "street", type: .string), .init(name: "city", type: .string),
              .init(name: "name", type: .string), .init(name: "number", type: .integer32),
            ]),
        ]),
      .init(name: "radius", type: .float, isOptional: false, defaultValue: .real(50)),
      .init(
        name: "todoCount", type: .integer64, isReadOnly: true,
        derivation: Derivation(
          expression: .function(
            operand: nil, name: "count:", arguments: [.keyPath(operand: nil, "todos")]))),
    ],
    relationships: [
      toMany("todos", "TodoEntity", inverse: "location", deleteRule: .deny),
      toMany("visits", "VisitEntity", inverse: nil, isOrdered: true, deleteRule: .cascade),
    ])

  static let person = EntityDescription(
    name: "PersonEntity",
    className: "PersonEntity",
    attributes: [
      .init(name: "avatar", type: .binary),
      .init(name: "balance", type: .decimal),
      .init(name: "birthday", type: .date),
      .init(name: "email", type: .string, allowsCloudEncryption: true),
      .init(name: "isActive", type: .boolean, isOptional: false, defaultValue: .bool(true)),
      .init(name: "name", type: .string, isOptional: false, defaultValue: .string("?")),
    ],
    relationships: [
      toMany("assignments", "TodoEntity", inverse: "assignees", isOrdered: true),
      toMany("friends", "PersonEntity", inverse: "friends"),
      toOne("settings", "SettingsEntity", inverse: "person", deleteRule: .cascade),
    ],
    uniquenessConstraints: [["email"]])

  static let settings = EntityDescription(
    name: "SettingsEntity",
    className: nil,
    attributes: [
      .init(name: "colors", type: .transformable, valueTransformerName: "ColorListTransformer"),
      .init(name: "locale", type: .string, isOptional: false, defaultValue: .string("en_US")),
      .init(name: "uuid", type: .uuid, isOptional: false),
      .init(name: "volume", type: .float, defaultValue: .real(0.75)),
    ],
    relationships: [toOne("person", "PersonEntity", inverse: "settings", isOptional: false)],
    uniquenessConstraints: [["locale", "uuid"]])

  static let tag = EntityDescription(
    name: "TagEntity",
    className: "TagEntity",
    attributes: [
      .init(name: "color", type: .integer32, isOptional: false, defaultValue: .integer(0)),
      .init(
        name: "name", type: .string, isOptional: false,
        validationPredicates: [
          rule(.keyPath(operand: nil, "length"), 3, .integer(1), warning: 1670),
          rule(.keyPath(operand: nil, "length"), 1, .integer(64), warning: 1660),
        ],
        versionHashModifier: "trimmed"),
    ],
    relationships: [toMany("todos", "TodoEntity", inverse: "tags")],
    uniquenessConstraints: [["name"]],
    versionHashModifier: "2")

  static let visit = EntityDescription(
    name: "VisitEntity",
    className: "VisitEntity",
    attributes: [
      .init(name: "arrival", type: .date, isOptional: false),
      .init(name: "departure", type: .date),
    ])
}
