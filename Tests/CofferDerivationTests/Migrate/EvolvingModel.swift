internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator

/// A model that changes at random in the ways that lightweight migration allows.
struct EvolvingModel {
  private struct Entity {
    var name: Name
    var older: Name?
    var parent: Int?
    var isAbstract = false
    var isRemoved = false
    var attributes: [AttributeDescription] = []
  }

  /// Two relationships that are each other's inverse, or one without.
  private struct Pair {
    var owner: Int
    var ownerName: Name
    var member: Int
    var memberName: Name
    var isToMany = true
    var isInverseToMany: Bool
    var isOrdered = false
    var isInverseOrdered = false
    var hasInverse: Bool
  }

  private var random: SeededGenerator
  private var entities: [Entity] = []
  private var pairs: [Pair] = []
  private var names = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for letter in ["Kilo", "Lima", "Mike", "Nora"] {
      let parent = entities.isEmpty || random.chance(0.5) ? nil : random.below(entities.count)
      entities.append(Entity(name: Name(letter), parent: parent))
    }
    for index in entities.indices {
      for _ in 0..<random.below(4) { addAttribute(to: index) }
    }
    for _ in 0..<(1 + random.below(3)) { addPair() }
  }

  private mutating func name(_ prefix: String) -> Name {
    names += 1
    return "\(prefix)\(names)"
  }

  // MARK: The model

  /// The model as it is now.
  var model: ManagedObjectModel {
    let descriptions = entities.enumerated().filter { !$0.element.isRemoved }.map { index, entity in
      EntityDescription(
        name: entity.name, className: entity.name, isAbstract: entity.isAbstract,
        superentityName: entity.parent.map { entities[$0].name },
        attributes: entity.attributes,
        relationships: relationships(of: index), renamingIdentifier: entity.older)
    }
    return ManagedObjectModel(
      entities: descriptions, versionIdentifiers: [""], source: .modelCache)
  }

  private func relationships(of index: Int) -> [RelationshipDescription] {
    pairs.flatMap { pair -> [RelationshipDescription] in
      var found: [RelationshipDescription] = []
      if pair.owner == index {
        found.append(
          RelationshipDescription(
            name: pair.ownerName, destinationName: entities[pair.member].name,
            inverseName: pair.hasInverse ? pair.memberName : nil,
            maxCount: pair.isToMany ? 0 : 1, isOrdered: pair.isToMany && pair.isOrdered))
      }
      if pair.member == index, pair.hasInverse {
        found.append(
          RelationshipDescription(
            name: pair.memberName, destinationName: entities[pair.owner].name,
            inverseName: pair.ownerName, maxCount: pair.isInverseToMany ? 0 : 1,
            isOrdered: pair.isInverseToMany && pair.isInverseOrdered))
      }
      return found
    }
  }

  // MARK: Rows

  /// Fills a store of the model, before it has changed.
  mutating func fill(_ builder: SampleStoreBuilder) throws {
    var keys: [Int: [Int64]] = [:]
    for index in entities.indices where !entities[index].isAbstract {
      for _ in 0..<random.below(7) {
        var values: [Name: StoreValue] = [:]
        var level: Int? = index
        while let current = level {
          for attribute in entities[current].attributes
          where !attribute.isOptional || random.chance(0.7) {
            values[attribute.name] = value(of: attribute)
          }
          level = entities[current].parent
        }
        let key = try builder.insert(
          entities[index].name, values, version: Int64(1 + random.below(5)))
        level = index
        while let current = level {
          keys[current, default: []].append(key)
          level = entities[current].parent
        }
      }
    }
    for pair in pairs {
      var free = keys[pair.member] ?? []
      for owner in keys[pair.owner] ?? [] {
        var chosen = free.filter { _ in random.chance(0.3) }
        if random.chance(0.5) { chosen.reverse() }
        if !pair.hasInverse || !pair.isInverseToMany { free.removeAll { chosen.contains($0) } }
        try builder.link(entities[pair.owner].name, pair.ownerName, from: owner, to: chosen)
      }
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> StoreValue {
    switch attribute.type {
    case .string: return .string("text \(random.below(1000)) 'ü'")
    case .boolean: return .bool(random.chance(0.5))
    case .double, .float: return .real(Double(random.below(1000)) / 8)
    case .date: return .real(Double(random.below(1_000_000)) + 0.5)
    case .binary:
      let bytes = (0..<random.below(40)).map { UInt8(truncatingIfNeeded: $0) }
      return attribute.allowsExternalBinaryDataStorage ? .inline(bytes) : .blob(bytes)
    default: return .integer(Int64(random.below(30_000)))
    }
  }

  // MARK: Changes

  /// Changes a few things; renamed parts have their new names from now on.
  mutating func evolve() {
    for index in entities.indices {
      entities[index].older = nil
      for position in entities[index].attributes.indices {
        entities[index].attributes[position].renamingIdentifier = nil
      }
    }
    for _ in 0..<(1 + random.below(4)) { change() }
  }

  private mutating func change() {
    let index = random.below(entities.count)
    guard !entities[index].isRemoved else { return }
    switch random.below(13) {
    case 0:
      guard entities[index].older == nil else { return }
      entities[index].older = entities[index].name
      entities[index].name = name(["A", "N", "Z"][random.below(3)])
    case 1: renameAttribute(of: index)
    case 2: addAttribute(to: index)
    case 3: if !entities[index].attributes.isEmpty { entities[index].attributes.removeLast() }
    case 4: changeAttribute(of: index)
    case 5:
      entities.append(Entity(name: name("E"), parent: random.chance(0.5) ? index : nil))
    case 6: entities[index].parent = nil
    case 7:
      guard entities[index].parent == nil else { return }
      entities.append(Entity(name: name("P"), isAbstract: true))
      entities[index].parent = entities.count - 1
    case 8: moveAttributeUp(from: index)
    case 9: removeEntity(index)
    default: changePair()
    }
  }

  private mutating func addAttribute(to index: Int) {
    let types: [AttributeType] = [
      .string, .boolean, .double, .date, .binary, .integer16, .integer32, .integer64, .float,
    ]
    let type = types[random.below(types.count)]
    var attribute = AttributeDescription(name: name("a"), type: type)
    attribute.allowsExternalBinaryDataStorage = type == .binary && random.chance(0.5)
    if random.chance(0.5), let value = Self.defaultValue(of: type) {
      attribute.defaultValue = value
      attribute.isOptional = random.chance(0.5)
    }
    entities[index].attributes.append(attribute)
  }

  private static func defaultValue(of type: AttributeType) -> ModelValue? {
    switch type {
    case .string: .string("default")
    case .boolean: .bool(true)
    case .double, .float: .real(0.25)
    case .integer16, .integer32, .integer64: .integer(7)
    default: nil
    }
  }

  private mutating func renameAttribute(of index: Int) {
    guard !entities[index].attributes.isEmpty else { return }
    let position = random.below(entities[index].attributes.count)
    guard entities[index].attributes[position].renamingIdentifier == nil else { return }
    entities[index].attributes[position].renamingIdentifier =
      entities[index].attributes[position].name
    entities[index].attributes[position].name = name(random.chance(0.5) ? "b" : "z")
  }

  private mutating func changeAttribute(of index: Int) {
    guard !entities[index].attributes.isEmpty else { return }
    let position = random.below(entities[index].attributes.count)
    var attribute = entities[index].attributes[position]
    switch attribute.type {
    case .binary: attribute.allowsExternalBinaryDataStorage.toggle()
    case .integer16 where random.chance(0.5): attribute.type = .integer64
    case .integer64 where random.chance(0.5): attribute.type = .integer16
    default:
      attribute.isOptional.toggle()
      attribute.defaultValue = Self.defaultValue(of: attribute.type)
      if attribute.defaultValue == nil { attribute.isOptional = true }
    }
    entities[index].attributes[position] = attribute
  }

  private mutating func moveAttributeUp(from index: Int) {
    guard let parent = entities[index].parent, !entities[parent].isRemoved,
      let attribute = entities[index].attributes.popLast()
    else { return }
    entities[parent].attributes.append(attribute)
  }

  private mutating func removeEntity(_ index: Int) {
    let isUsed = pairs.contains { $0.owner == index || $0.member == index }
    let hasChildren = entities.contains { $0.parent == index && !$0.isRemoved }
    guard !isUsed, !hasChildren, entities.count(where: { !$0.isRemoved }) > 2 else { return }
    entities[index].isRemoved = true
  }

  private mutating func addPair() {
    let (owner, member) = (random.below(entities.count), random.below(entities.count))
    let hasInverse = random.chance(0.8)
    let isInverseToMany = owner != member && hasInverse && random.chance(0.5)
    pairs.append(
      Pair(
        owner: owner, ownerName: name("r"), member: member, memberName: name("s"),
        isInverseToMany: isInverseToMany, isOrdered: random.chance(0.4),
        isInverseOrdered: random.chance(0.3), hasInverse: hasInverse))
  }

  private mutating func changePair() {
    guard !pairs.isEmpty else { return }
    let index = random.below(pairs.count)
    switch random.below(6) {
    case 0: pairs[index].isToMany.toggle()
    case 1:
      // Two to-many relationships of one entity have a table whose name does not follow.
      if pairs[index].owner != pairs[index].member { pairs[index].isInverseToMany.toggle() }
    case 2: pairs[index].isOrdered.toggle()
    case 3: pairs[index].isInverseOrdered.toggle()
    case 4: pairs[index].hasInverse.toggle()
    default: pairs.remove(at: index)
    }
  }
}
