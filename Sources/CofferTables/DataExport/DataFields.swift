internal import CoreDataLayout
internal import CoreDataModel

/// The columns of a table of objects by their meaning.
struct DataFields {
  /// A column and the entity that declares its property.
  struct Field {
    var index: Int
    var entityName: Name
  }

  /// A column of attribute values.
  struct Attribute {
    var field: Field
    var path: [Name]
    var type: AttributeType
    var isExternal: Bool
  }

  /// A column with the key of an owner.
  struct Owner {
    var index: Int
    var entityName: Name
    var relationshipName: Name
  }

  /// The attributes in the order of the columns, and their positions by path.
  private(set) var attributes: [Attribute] = []
  private(set) var attributesByPath: [[String]: [Int]] = [:]
  /// To-one relationships by name, with their other columns.
  private(set) var toOnes: [Name: [Field]] = [:]
  private(set) var destinationEntities: [Name: [Field]] = [:]
  private(set) var positions: [Name: [Field]] = [:]
  /// The owners of to-many relationships without inverse, and the positions in ordered ones.
  private(set) var owners: [Owner] = []
  private(set) var ownerPositions: [Owner] = []
  /// The columns of the primary key and of the entity number.
  private(set) var key: Int?
  private(set) var entity: Int?
  /// The number of columns that the model does not explain.
  private(set) var plainCount = 0

  init(_ shape: TableLayout) {
    for (index, field) in shape.fields.enumerated() {
      switch field.role {
      case .primaryKey: key = key ?? index
      case .entityNumber: entity = entity ?? index
      case .attribute(let path, let type, let isExternal, let entity):
        attributesByPath[path.map(\.text), default: []].append(attributes.count)
        attributes.append(
          Attribute(
            field: Field(index: index, entityName: entity), path: path, type: type,
            isExternal: isExternal))
      case .toOne(let name, let entity):
        toOnes[name, default: []].append(Field(index: index, entityName: entity))
      case .toOneEntity(let name, let entity):
        destinationEntities[name, default: []].append(Field(index: index, entityName: entity))
      case .order(let name, let entity):
        positions[name, default: []].append(Field(index: index, entityName: entity))
      case .owner(let entity, let relationship):
        owners.append(Owner(index: index, entityName: entity, relationshipName: relationship))
      case .ownerOrder(let entity, let relationship):
        ownerPositions.append(
          Owner(index: index, entityName: entity, relationshipName: relationship))
      case .plain: plainCount += 1
      default: break
      }
    }
  }
}
