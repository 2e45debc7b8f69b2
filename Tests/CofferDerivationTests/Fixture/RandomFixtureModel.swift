internal import CofferKit
internal import CoreDataModel
internal import StoreGenerator

/// A random model with all that a fixture has to keep to: abstract entities and inheritance, required
/// properties, validations, uniqueness constraints, and relationships of every cardinality.
struct RandomFixtureModel {
  private var random: SeededGenerator
  private var entities: [EntityDescription] = []

  /// The model.
  var model: ManagedObjectModel {
    ManagedObjectModel(entities: entities, versionIdentifiers: [""], source: .modelCache)
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for name in ["Kilo", "Lima", "Mike", "Nora", "Otto"].prefix(2 + random.below(4)) {
      var entity = EntityDescription(
        name: Name(name), className: Name(name), isAbstract: random.chance(0.15))
      if !entities.isEmpty, random.chance(0.4) {
        entity.superentityName = entities[random.below(entities.count)].name
      }
      entity.attributes = (0..<random.below(6)).map { attribute("\(name.lowercased())\($0)") }
      addConstraints(to: &entity)
      entities.append(entity)
    }
    for number in 0..<(1 + random.below(6)) { addRelationship(number) }
  }

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary,
    .uuid, .uri, .transformable, .composite,
  ]

  private mutating func attribute(_ name: Name, isElement: Bool = false) -> AttributeDescription {
    let types = Self.types
    let type = types[random.below(types.count - (isElement ? 1 : 0))]
    var attribute = AttributeDescription(name: name, type: type, isOptional: random.chance(0.6))
    if type == .composite {
      attribute.elements = (0...random.below(3)).map {
        self.attribute("\(name)e\($0)", isElement: true)
      }
    }
    if type == .binary { attribute.allowsExternalBinaryDataStorage = random.chance(0.5) }
    if random.chance(0.5) { attribute.validationPredicates = validations(type) }
    return attribute
  }

  private mutating func validations(_ type: AttributeType) -> [ValidationPredicate] {
    let rules: [String]
    switch type {
    case .integer16, .integer32, .integer64:
      let least = random.below(20) - 10
      rules = ["SELF >= \(least)", "SELF <= \(least + random.below(300))"]
    case .double, .decimal, .float: rules = ["SELF >= 0.5", "SELF < \(1 + random.below(5))"]
    case .string:
      let all = [
        ["length >= 3", "length <= \(3 + random.below(20))"], ["length <= 2"],
        ["SELF IN {\"red\", \"green\", \"blue\"}"], ["SELF BEGINSWITH \"key-\"", "length < 30"],
        ["SELF MATCHES \"[A-Z]{2}-\\\\d{3,5}(x|yz)?\""], ["length >= 300"],
      ]
      rules = all[random.below(all.count)]
    case .binary: rules = ["length <= 100"]
    default: rules = []
    }
    return rules.compactMap { text in
      (try? ModelPredicate(parsing: text)).map { ValidationPredicate(predicate: $0) }
    }
  }

  private mutating func addConstraints(to entity: inout EntityDescription) {
    let candidates = entity.attributes.filter {
      ![.composite, .transformable, .binary].contains($0.type)
    }
    guard !candidates.isEmpty, random.chance(0.4) else { return }
    let names = (0...random.below(2)).map { _ in candidates[random.below(candidates.count)].name }
    entity.uniquenessConstraints = [Array(Set(names)).sorted()]
  }

  /// Adds a relationship with its inverse, or without one.
  private mutating func addRelationship(_ number: Int) {
    let (owner, member) = (random.below(entities.count), random.below(entities.count))
    func bounds(_ relationship: inout RelationshipDescription) {
      relationship.isOptional = random.chance(0.7)
      guard relationship.isToMany else { return }
      relationship.isOrdered = random.chance(0.3)
      if random.chance(0.3) { relationship.minCount = random.below(3) }
      if random.chance(0.3) { relationship.maxCount = 2 + relationship.minCount + random.below(3) }
    }
    var one = RelationshipDescription(
      name: "out\(number)", destinationName: entities[member].name,
      inverseName: random.chance(0.85) ? "back\(number)" : nil,
      maxCount: random.chance(0.5) ? 1 : 0)
    bounds(&one)
    guard one.inverseName != nil else {
      entities[owner].relationships.append(one)
      return
    }
    if owner == member, random.chance(0.3) {
      one.inverseName = one.name
      entities[owner].relationships.append(one)
      return
    }
    var other = RelationshipDescription(
      name: "back\(number)", destinationName: entities[owner].name, inverseName: one.name,
      maxCount: random.chance(0.5) ? 1 : 0)
    bounds(&other)
    entities[owner].relationships.append(one)
    entities[member].relationships.append(other)
  }
}
