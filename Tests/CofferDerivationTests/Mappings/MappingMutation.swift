internal import CofferKit
internal import CoreDataModel
internal import StoreGenerator

@testable internal import CofferDerivation

/// Random changes of a mapping model, most of which can be carried out.
struct MappingMutation {
  private var random: SeededGenerator
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel
  private(set) var mapping: MappingModel
  /// The forms of the expressions that were put in.
  private(set) var forms: Set<String> = []

  /// Changes a mapping model at one to four places.
  init(
    _ mapping: MappingModel, from old: ManagedObjectModel, to new: ManagedObjectModel, seed: UInt64
  ) {
    random = SeededGenerator(seed: seed)
    (self.old, self.new, self.mapping) = (old, new, mapping)
    for number in 0...random.below(4) { change(number) }
  }

  /// The entity mappings that carry objects over.
  private var carried: [MappingModel.Entity] {
    mapping.entities.filter { $0.sourceName != nil && $0.destinationName != nil }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[random.below(elements.count)]
  }

  private mutating func change(_ number: Int) {
    guard let rule = pick(carried), let source = rule.sourceName,
      let destination = rule.destinationName,
      let index = mapping.entities.firstIndex(where: { $0.name == rule.name })
    else { return }
    switch random.below(12) {
    case 0:
      var copy = rule
      copy.name = "\(rule.name) \(number)"
      copy.number = mapping.entities.count + number + 1
      mapping.entities.append(copy)
      forms.insert("a second entity mapping")
    case 1:
      mapping.entities[index].filter = condition(of: source)
      forms.insert("a filter")
    case 2...5:
      let attributes = new.allAttributes(of: destination).filter {
        !$0.isTransient && !$0.isDerived
      }
      guard let attribute = pick(attributes) else { return }
      let value = value(of: attribute.type, rule)
      set(attribute.name, value, \.attributes, at: index)
    default:
      let all = new.allRelationships(of: destination).filter { !$0.isTransient }
      guard let relationship = pick(all), let expression = objects(for: relationship, rule)
      else { return }
      set(relationship.name, expression, \.relationships, at: index)
      // Otherwise, both sides have a mapping, and contradict each other in most cases.
      guard let inverse = relationship.inverseName, random.chance(0.9) else { return }
      for other in mapping.entities.indices {
        guard let place = mapping.entities[other].destinationName,
          new.isEntity(place, kindOf: relationship.destinationName)
        else { continue }
        mapping.entities[other].relationships.removeAll {
          $0.name == inverse && (other != index || $0.name != relationship.name)
        }
      }
    }
  }

  private mutating func set(
    _ name: Name, _ expression: ModelExpression?,
    _ list: WritableKeyPath<MappingModel.Entity, [MappingModel.Property]>, at index: Int
  ) {
    mapping.entities[index][keyPath: list].removeAll { $0.name == name }
    mapping.entities[index][keyPath: list].append(
      MappingModel.Property(name: name, expression: expression))
  }

  // MARK: Values

  private mutating func condition(of entity: Name) -> String? {
    let numbers: Set<AttributeType> = [.integer16, .integer32, .integer64, .double, .float]
    let attributes = old.allAttributes(of: entity).filter {
      numbers.contains($0.type) && !$0.isTransient && !$0.isDerived
    }
    guard let attribute = pick(attributes), let comparison = pick(["<", "<=", ">", ">=", "=="])
    else { return nil }
    return "\(attribute.name) \(comparison) \([0, 1, 50, 1000, 600_000_000][random.below(5)])"
  }

  private mutating func fetch(of entity: Name? = nil, isCount: Bool = false) -> ModelExpression {
    let entity = entity ?? pick(old.entities)?.name ?? ""
    forms.insert(isCount ? "the number of a fetch" : "a fetch")
    return .fetch(entity.text, condition(of: entity) ?? "TRUEPREDICATE", isCount: isCount)
  }

  private mutating func value(of type: AttributeType, _ rule: MappingModel.Entity)
    -> ModelExpression?
  {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float:
      switch random.below(5) {
      case 0: return fetch(isCount: true)
      case 1: return .keyPath(operand: fetch(), "@count")
      case 2:
        forms.insert("the number of source instances")
        return .keyPath(operand: .sources(pick(carried)?.name.text ?? ""), "@count")
      case 3:
        let lists = old.allRelationships(of: rule.sourceName ?? "").filter(\.isToMany)
        guard let list = pick(lists) else { return .constant(.integer(7)) }
        return .source("\(list.name).@count")
      default:
        return .function(
          operand: nil, name: "multiply:by:",
          arguments: [fetch(isCount: true), .constant(.integer(Int64(random.below(5))))])
      }
    case .string:
      forms.insert("a name")
      let mapping = ModelExpression.variable("entityMapping")
      let side = random.chance(0.5) ? "source" : "destination"
      return [
        .keyPath(operand: mapping, "name"),
        .keyPath(operand: mapping, "\(side)EntityName"),
        .keyPath(operand: .variable("propertyMapping"), "name"),
        .keyPath(operand: .manager("\(side)EntityForEntityMapping:", mapping), "name"),
        .constant(.string("constant")),
      ][random.below(5)]
    default: return nil
    }
  }

  // MARK: Relationships

  private mutating func objects(
    for relationship: RelationshipDescription, _ rule: MappingModel.Entity
  ) -> ModelExpression? {
    let makers = carried.filter {
      new.isEntity($0.destinationName ?? "", kindOf: relationship.destinationName)
    }
    guard let maker = pick(makers), let wanted = maker.sourceName, let source = rule.sourceName
    else { return nil }
    let objects = instances(of: wanted, from: source, rule, isToMany: relationship.isToMany)
    if random.chance(0.25), let any = pick(old.allRelationships(of: source)) {
      forms.insert("a source relationship")
      return .manager(
        "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
        .constant(.string(any.name.text)), objects)
    }
    return .instances(maker.name.text, objects)
  }

  /// Source instances, of the wanted entity where that is found by chance.
  private mutating func instances(
    of wanted: Name, from source: Name, _ rule: MappingModel.Entity, isToMany: Bool
  ) -> ModelExpression {
    let path = path(to: wanted, from: source, isToMany: isToMany)
    switch random.below(6) {
    case 0:
      let start = fetch(of: random.chance(0.7) ? wanted : nil)
      return start
    case 1:
      let name = random.chance(0.7) ? rule.name : pick(carried)?.name ?? rule.name
      forms.insert("source instances")
      let own = ModelExpression.sources(name.text)
      return path.isEmpty ? own : .keyPath(operand: own, path)
    case 2, 3:
      let count = isToMany ? 1 + random.below(3) : 1
      let elements = (0..<count).map { _ in
        self.path(to: wanted, from: source, isToMany: false)
      }
      forms.insert("a list")
      return .aggregate(elements.map { $0.isEmpty ? .variable("source") : .source($0) })
    default: return path.isEmpty ? .variable("source") : .source(path)
    }
  }

  /// A path of up to three relationships, to the wanted entity where that is found by chance.
  private mutating func path(to wanted: Name, from source: Name, isToMany: Bool) -> String {
    var names: [Name] = []
    for _ in 0..<20 {
      names = []
      var entity = source
      for _ in 0..<random.below(4) {
        let following = old.allRelationships(of: entity)
          .filter { !$0.isTransient && (isToMany || !$0.isToMany) }
        guard let step = pick(following) else { break }
        names.append(step.name)
        entity = step.destinationName
      }
      if old.isEntity(wanted, kindOf: entity) || old.isEntity(entity, kindOf: wanted) { break }
    }
    return names.map(\.text).joined(separator: ".")
  }
}

extension MappingFile {
  /// The file of a mapping model that was read.
  init(_ mapping: MappingModel, from old: ManagedObjectModel, to new: ManagedObjectModel) {
    let entities = mapping.entities.map { entity in
      Entity(
        name: entity.name.text, source: entity.sourceName?.text,
        destination: entity.destinationName?.text, filter: entity.filter,
        policy: entity.policyClass, fillsIn: entity.fillsIn,
        attributes: entity.attributes.map { ($0.name.text, $0.expression) },
        relationships: entity.relationships.map { ($0.name.text, $0.expression) },
        chosen: Dictionary(
          uniqueKeysWithValues: entity.relationships.compactMap { property in
            guard let path = property.keyPath, let name = property.mappingName else { return nil }
            return (property.name.text, (path, name.text))
          }))
    }
    self.init(source: old, destination: new, entities: entities)
    paths = (mapping.sourcePath ?? "", mapping.destinationPath ?? "")
  }
}
