internal import CoreDataLayout
internal import CoreDataModel

/// The places of properties in the mask of a change.
///
/// Their order is that of `RecordedProperty`.
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

  /// A mask without what stands behind the last property; nil if nothing does, or the properties are not
  /// known.
  func cut(_ mask: [UInt8], table: Int, entity: Int64) -> [UInt8]? {
    let count = places(of: table, entity).count
    guard count > 0 else { return nil }
    var cut = Array(mask.prefix((count + 7) / 8))
    if cut.count * 8 > count { cut[cut.count - 1] &= ~(0xff >> UInt8(count % 8)) }
    return cut == mask ? nil : cut
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
    let roles = schema.tables[table].columns.map(\.role)
    return RecordedProperty.order(of: name, in: schema.model, columns: roles).compactMap {
      switch $0 {
      case .column(let column): column
      case .toMany(let reference): schema.property(reference, in: table)
      }
    }
  }
}
