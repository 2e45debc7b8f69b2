internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Names the properties in the masks of changes, each combination of an entity and a mask once.
struct ChangedProperties {
  private struct Mask: Hashable {
    var entity: Int64
    var bytes: [UInt8]
  }

  /// The names by number; nil if unknown.
  private var names: [[Name]?] = []
  private var numbers: [Mask: Int] = [:]
  /// The names of the places by entity; nil if unknown.
  private var places: [Int64: [Name]?] = [:]
  private let model: ManagedObjectModel
  private let shapes: [TableLayout]
  /// Whether the order of the places is known for the store.
  private let isKnown: Bool

  /// The maximum number of distinct combinations: more have no names, so that no store can fill the memory.
  private static let maxCount = 100_000

  init(_ source: some RowSource) throws {
    (model, shapes) = (source.model, source.shapes)
    isKnown = try source.metadata().era?.hasKnownProperties ?? false
  }

  /// The number of a mask; negative if its names are not known.
  mutating func number(of bytes: [UInt8]?, entity: Int64, name: Name) -> Int {
    guard isKnown, let bytes else { return -1 }
    let mask = Mask(entity: entity, bytes: bytes)
    if let known = numbers[mask] { return known }
    guard names.count < Self.maxCount else { return -1 }
    let number = names.count
    names.append(decoded(mask, name))
    numbers[mask] = number
    return number
  }

  /// The names in the mask of a number, sorted; nil if they are not known.
  func names(_ number: Int) -> [Name]? {
    names.indices.contains(number) ? names[number] : nil
  }

  /// The names; nil for a mask that another model made: it is longer or shorter than this one's.
  private mutating func decoded(_ mask: Mask, _ name: Name) -> [Name]? {
    let known = places[mask.entity] ?? places(of: name)
    places[mask.entity] = .some(known)
    guard let known, mask.bytes.count == (known.count + 7) / 8 else { return nil }
    var found: Set<Name> = []
    for (index, byte) in mask.bytes.enumerated() {
      for bit in 0..<8 where byte & 0x80 >> UInt8(bit) != 0 {
        guard index * 8 + bit < known.count else { return nil }
        found.insert(known[index * 8 + bit])
      }
    }
    return found.sorted()
  }

  private func places(of name: Name) -> [Name]? {
    guard let root = model.root(of: name)?.name,
      let shape = shapes.first(where: {
        $0.kind == .entity && $0.entityName == root
      })
    else { return nil }
    let roles = shape.fields.map(\.role)
    return RecordedProperty.order(of: name, in: model, columns: roles).map {
      switch $0 {
      case .toMany(let reference): reference.property
      case .column(let column): roles[column].propertyName ?? ""
      }
    }
  }
}

extension FieldRole {
  /// The property that a column of objects belongs to; nil for other columns.
  fileprivate var propertyName: Name? {
    switch self {
    case .attribute(let path, _, _, _): path.first
    case .toOne(let name, _), .toOneEntity(let name, _), .order(let name, _): name
    default: nil
    }
  }
}
