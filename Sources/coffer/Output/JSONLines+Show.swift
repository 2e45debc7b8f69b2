internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func shown(_ object: ShownObject, isFirst: Bool) throws {
    try line("object", Self.members(of: object))
  }

  func listedObjects(_ count: Int, hasMore: Bool, status: ExitStatus) throws {
    try summary(status, ["objects": Self.number(count), "more": .bool(hasMore)])
  }

  private static func members(of object: ShownObject) -> JSONObject {
    var members: JSONObject = [
      "entity": .string(object.id.entityName), "object": .string(object.id.description),
    ]
    members.append("version", object.version.map { .integer($0) })
    members.append("attributes", value(of: object.attributes))
    var relationships = JSONObject()
    var followed = JSONObject()
    for relationship in object.relationships {
      let names = relationship.destinations.map { JSONValue.string($0.description) }
      relationships.append(
        relationship.name, relationship.isToMany ? .array(names) : names.first ?? .null)
      if let objects = relationship.objects {
        followed.append(
          relationship.name, .array(objects.map { .object(Self.members(of: $0)) }))
      }
    }
    members.append("relationships", .object(relationships))
    if !followed.members.isEmpty { members.append("followed", .object(followed)) }
    return members
  }

  private static func value(of attributes: [ShownAttribute]) -> JSONValue {
    var object = JSONObject()
    for attribute in attributes { object.append(attribute.name, value(of: attribute.value)) }
    return .object(object)
  }

  private static func value(of value: ShownValue) -> JSONValue {
    switch value {
    case .none: .null
    case .bool(let value): .bool(value)
    case .integer(let number): .integer(number)
    case .real(let number): number.isFinite ? .real(number) : .string("\(number)")
    case .text(let text), .date(let text): .string(text)
    case .data(let count): .object(["bytes": number(count)])
    case .file(let name): .object(["file": .string(name)])
    case .tree(let tree):
      .object(["archive": .string(ValueTree.lines(tree).joined(separator: "\n"))])
    case .composite(let elements): self.value(of: elements)
    }
  }
}
