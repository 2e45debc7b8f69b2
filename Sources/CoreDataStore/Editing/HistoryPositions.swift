internal import CoreDataLayout
internal import CoreDataModel

/// The places of properties in the mask of a change.
///
/// Source: store-format, section 7: to-one relationships, each followed by the entity of its
/// destination; positions; attributes; to-many relationships; each from the root entity down, by name.
final class HistoryPositions {
  private let schema: EditedSchema
  /// The places by table and entity, for each property.
  private var known: [[Int64]: (count: Int, places: [Int64: Int])] = [:]

  init(_ schema: EditedSchema) { self.schema = schema }

  /// The mask of some properties of an object.
  func mask(of properties: [Int64], table: Int, entity: Int64) -> [UInt8] {
    let (count, places) = places(of: table, entity)
    var mask = [UInt8](repeating: 0, count: (count + 7) / 8)
    for property in properties {
      guard let place = places[property] else { continue }
      mask[place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return mask
  }

  private func places(of table: Int, _ entity: Int64) -> (count: Int, places: [Int64: Int]) {
    let kind = [Int64(table), entity]
    if let known = known[kind] { return known }
    let order = positions(of: table, entity)
    var places: [Int64: Int] = [:]
    for (place, property) in order.enumerated() { places[Int64(property)] = place }
    known[kind] = (order.count, places)
    return (order.count, places)
  }

  private func positions(of table: Int, _ entity: Int64) -> [Int] {
    guard let name = schema.numbering.name(of: entity) else { return [] }
    let columns = schema.tables[table].columns
    let lineage = schema.model.lineage(of: name)
    var (references, orders, attributes, toMany): ([Int], [Int], [Int], [Int]) = ([], [], [], [])
    for declarer in lineage {
      for relationship in declarer.relationships {
        if relationship.isToMany {
          let property = PropertyReference(entity: declarer.name, property: relationship.name)
          if let number = schema.property(property, in: table) { toMany.append(number) }
          continue
        }
        let (name, entity) = (relationship.name, declarer.name)
        for role in [
          FieldRole.toOne(name: name, entity: entity), .toOneEntity(name: name, entity: entity),
        ] {
          if let column = columns.firstIndex(where: { $0.role == role }) {
            references.append(column)
          }
        }
        if let column = columns.firstIndex(where: { $0.role == .order(name: name, entity: entity) })
        {
          orders.append(column)
        }
      }
      for attribute in declarer.attributes {
        for (column, field) in columns.enumerated() {
          guard case .attribute(let path, _, _, let entity) = field.role,
            entity.hasSameBytes(as: declarer.name), path.first == attribute.name
          else { continue }
          attributes.append(column)
        }
      }
    }
    return references + orders + attributes + toMany
  }
}
