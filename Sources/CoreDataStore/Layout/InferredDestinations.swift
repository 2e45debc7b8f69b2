internal import CoreDataModel

/// The entities of a store without a model, to find the destination of a column.
///
/// A reference to an entity with subentities has a second column with the number of the entity.
/// Without it, the destination has no subentities, and only the column's name can identify it
/// (store-format, section 5.2). The accepted names were right for all 157 relationships in 91
/// models; a name that only ends with an entity's name was wrong in one of four cases.
struct InferredDestinations {
  /// The maximum number of entities to compare names for; an archive holds no more.
  private static let maxEntities = 2_000
  /// The maximum number of bytes of a name that is parsed.
  private static let longestName = 200

  /// An entity with the rest of its name after removing another name.
  private struct Part {
    var entity: Name
    var rest: Name
  }

  private let numbers: [Int64: Name]
  private let parents: Set<Name>
  private let entityCount: Int
  /// The entities without subentities.
  private var leaves: [Name] = []
  private var wholes: [SchemaName: [Name]] = [:]
  private var ends: [SchemaName: [Part]] = [:]
  private var starts: [SchemaName: [Part]] = [:]
  /// The number of names that begin, or end, with one or several words.
  private var startCounts: [Name: Int] = [:]
  private var endCounts: [Name: Int] = [:]

  /// Takes the entities, with the names of entities that have subentities.
  init(_ rows: [EntityRegistry.Row], parents: Set<Name>) {
    numbers = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.parents = parents
    entityCount = rows.count
    guard rows.count <= Self.maxEntities else { return }
    for row in rows { add(row.name, isLeaf: !parents.contains(row.name)) }
  }

  private mutating func add(_ name: Name, isLeaf: Bool) {
    if isLeaf {
      leaves.append(name)
      wholes[SchemaName(name.text.uppercased()), default: []].append(name)
    }
    guard name.utf8.count <= Self.longestName else { return }
    for (start, end) in Self.halves(of: name.text) {
      startCounts[Name(start), default: 0] += 1
      endCounts[Name(end), default: 0] += 1
      guard isLeaf else { continue }
      ends[SchemaName(end.uppercased()), default: []].append(Part(entity: name, rest: Name(start)))
      starts[SchemaName(start.uppercased()), default: []].append(
        Part(entity: name, rest: Name(end)))
    }
  }

  /// A name cut before each of its words but the first: `ATMessageSender` before `Message` and `Sender`.
  private static func halves(of name: String) -> [(start: String, end: String)] {
    let bytes = Array(name.utf8)
    func isCapital(_ index: Int) -> Bool { (0x41...0x5A).contains(bytes[index]) }
    return bytes.indices.dropFirst().filter { index in
      guard isCapital(index) else { return false }
      let isFollowedBySmall = index + 1 < bytes.count && (0x61...0x7A).contains(bytes[index + 1])
      return !isCapital(index - 1) || isFollowedBySmall
    }.map { index in
      (
        String(decoding: bytes[..<index], as: UTF8.self),
        String(decoding: bytes[index...], as: UTF8.self)
      )
    }
  }

  /// The entity with a number; nil if there is none.
  func entity(numbered number: Int64) -> Name? { numbers[number] }

  /// The entity with a number if it has subentities, nil otherwise.
  func parent(numbered number: Int64) -> Name? {
    numbers[number].flatMap { parents.contains($0) ? $0 : nil }
  }

  /// The entity without subentities that the name of a to-one relationship points to.
  ///
  /// The names are the column's, and the same without a number that makes it unique. A to-one relationship is
  /// shown by more than an index.
  ///
  /// - Returns: the entity; nil if none is certain.
  func destination(of names: [String], in tree: Set<Name>, isToOne: Bool) -> Name? {
    let keys = names.map { SchemaName($0) }
    let whole = keys.flatMap { wholes[$0] ?? [] }
    if !whole.isEmpty { return Self.only(whole) }
    let ends = keys.flatMap { self.ends[$0] ?? [] }
    // RecipeType for the type of a Recipe.
    let ofOwner = ends.filter { tree.contains($0.rest) }
    if !ofOwner.isEmpty { return Self.only(ofOwner.map(\.entity)) }
    // ICAccount for account, where most names begin with IC.
    let prefixed = ends.filter { isCommon(startCounts[$0.rest]) }
    if !prefixed.isEmpty { return Self.only(prefixed.map(\.entity)) }
    if !ends.isEmpty { return isToOne ? Self.only(ends.map(\.entity)) : nil }
    // SessionEntry for session, where most names end with Entry.
    let starts = keys.flatMap { self.starts[$0] ?? [] }.filter { isCommon(endCounts[$0.rest]) }
    if !starts.isEmpty { return Self.only(starts.map(\.entity)) }
    return isToOne ? Self.only(leaves) : nil
  }

  /// Whether more than half of the entities have it.
  private func isCommon(_ count: Int?) -> Bool { (count ?? 0) > entityCount / 2 }

  private static func only(_ entities: [Name]) -> Name? {
    entities.count == 1 ? entities.first : nil
  }
}
