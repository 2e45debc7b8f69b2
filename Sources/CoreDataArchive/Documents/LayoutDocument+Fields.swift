internal import CoreDataLayout
internal import CoreDataModel

/// The columns of a layout, each with its role and what belongs to it.
extension LayoutDocument {
  static func encode(_ field: FieldLayout) -> JSONValue {
    var members: JSONObject = ["name": .string(field.storedName)]
    func add(_ role: String, relationship: String? = nil, entity: String? = nil) {
      members.append("role", .string(role))
      members.append("relationship", relationship.map(JSONValue.string))
      members.append("entity", entity.map(JSONValue.string))
    }
    switch field.role {
    case .primaryKey: add("primary-key")
    case .entityNumber: add("entity-number")
    case .version: add("version")
    case .attribute(let path, let type, let isExternal, let entity):
      add("attribute", entity: entity)
      members.append("path", .array(path.map(JSONValue.string)))
      members.append("type", .string(type.name))
      members.append("external", isExternal ? .bool(true) : nil)
    case .toOne(let name, let entity):
      add("to-one", relationship: name, entity: entity)
    case .toOneEntity(let name, let entity):
      add("to-one-entity", relationship: name, entity: entity)
    case .order(let name, let entity):
      add("order", relationship: name, entity: entity)
    case .owner(let entity, let name):
      add("owner", relationship: name, entity: entity)
    case .ownerOrder(let entity, let name):
      add("owner-order", relationship: name, entity: entity)
    case .source: add("source")
    case .destination: add("destination")
    case .destinationOrder: add("destination-order")
    case .sourceOrder: add("source-order")
    case .plain: break
    }
    return .object(members)
  }

  static func decodeField(_ column: DocumentNode) throws(DocumentError) -> FieldLayout {
    FieldLayout(storedName: try column.required("name").string(), role: try decodeRole(column))
  }

  private static func decodeRole(_ column: DocumentNode) throws(DocumentError) -> FieldRole {
    switch try column.string("role") {
    case nil: return .plain
    case "primary-key": return .primaryKey
    case "entity-number": return .entityNumber
    case "version": return .version
    case "attribute": return try decodeAttribute(column)
    case "to-one":
      return .toOne(
        name: try column.required("relationship").string(),
        entity: try column.required("entity").string())
    case "to-one-entity":
      return .toOneEntity(
        name: try column.required("relationship").string(),
        entity: try column.required("entity").string())
    case "order":
      return .order(
        name: try column.required("relationship").string(),
        entity: try column.required("entity").string())
    case "owner":
      return .owner(
        entity: try column.required("entity").string(),
        relationship: try column.required("relationship").string())
    case "owner-order":
      return .ownerOrder(
        entity: try column.required("entity").string(),
        relationship: try column.required("relationship").string())
    case "source": return .source
    case "destination": return .destination
    case "destination-order": return .destinationOrder
    case "source-order": return .sourceOrder
    default: throw try column.required("role").error("a role that this version knows")
    }
  }

  private static func decodeAttribute(_ column: DocumentNode) throws(DocumentError) -> FieldRole {
    let path = try column.required("path").strings()
    guard path.count <= ArchiveLimits.Name.lineDepth.largestValue else {
      throw try column.required("path").error("the path of an element that lines can hold")
    }
    guard !path.isEmpty else { throw try column.required("path").error("a name") }
    guard let type = AttributeType(name: try column.required("type").string()) else {
      throw try column.required("type").error("the name of an attribute type")
    }
    return .attribute(
      path: path, type: type, isExternal: try column.flag("external"),
      entity: try column.required("entity").string())
  }
}
