internal import CoreDataModel
internal import TestSupport

/// Makes random models of the form that a reader produces.
struct ModelGenerator {
  private var random: SeededGenerator
  private static let words: [Name] = [
    "", "a", "Name", "name", "$null", "ünï", "日本", "a.b", "it's", "\u{0}",
  ]
  private static let types: [AttributeType] = [
    .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean,
    .date, .binary, .uuid, .uri, .transformable, .objectID, AttributeType(rawValue: 4711),
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &random) == 0
  }
  private mutating func count(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
  private mutating func word() -> Name { Self.words[count(Self.words.count - 1)] }
  private mutating func optional<T>(_ value: T) -> T? { chance(3) ? value : nil }

  mutating func model() -> ManagedObjectModel {
    let names = (0...count(6)).map { Name("Entity\($0)") }
    var entities: [EntityDescription] = []
    for (position, name) in names.enumerated() {
      let parent = position > 0 && chance(2) ? names[count(position - 1)] : nil
      entities.append(entity(name, parent: parent, all: names))
    }
    var configurations: [Name: [Name]] = [:]
    for _ in 0..<count(2) { configurations[word()] = names.filter { _ in chance(2) } }
    return ManagedObjectModel(
      entities: entities, versionIdentifiers: (0..<count(2)).map { "version \($0)" },
      configurations: configurations, source: .modelCache)
  }

  private mutating func entity(
    _ name: Name, parent: Name?, all: [Name]
  ) -> EntityDescription {
    // Names contain the entity, so that nothing is declared twice along an inheritance.
    let attributes = (0..<count(5)).map { attribute("\(name)_a\($0)", depth: 0) }
    let relationships = (0..<count(3)).map { relationship("\(name)_r\($0)", all: all) }
    let fetched = (0..<count(1)).map { position in
      FetchedPropertyDescription(
        name: "\(name)_f\(position)", fetchedEntityName: all[count(all.count - 1)],
        predicate: optional(predicate(depth: 0)), fetchLimit: count(3), isOptional: chance(2),
        userInfo: dictionary(depth: 2))
    }
    let properties = attributes.map(\.name) + relationships.map(\.name)
    return EntityDescription(
      name: name, className: optional(word()), isAbstract: chance(4), superentityName: parent,
      attributes: attributes, relationships: relationships, fetchedProperties: fetched,
      uniquenessConstraints: (0..<count(2)).map { _ in properties.filter { _ in chance(2) } },
      compoundIndexes: (0..<count(2)).map { _ in properties.filter { _ in chance(2) } },
      fetchIndexes: (0..<count(2)).map { index("index\($0)", properties: properties) },
      renamingIdentifier: optional("Old\(name)"), versionHashModifier: optional(word()),
      userInfo: dictionary(depth: 1))
  }

  private mutating func index(_ name: Name, properties: [Name]) -> FetchIndexDescription {
    var elements = properties.filter { _ in chance(2) }
      .map {
        FetchIndexDescription.Element(propertyName: $0, isAscending: chance(2), kind: count(1))
      }
    if chance(3) {
      elements.append(.init(propertyName: nil, expression: expression(depth: 0)))
    }
    return FetchIndexDescription(
      name: name, elements: elements, partialIndexPredicate: optional(predicate(depth: 0)))
  }

  private mutating func attribute(_ name: Name, depth: Int) -> AttributeDescription {
    var attribute = AttributeDescription(
      name: name, type: Self.types[count(Self.types.count - 1)], isOptional: chance(2),
      isTransient: chance(5), isReadOnly: chance(5), isIndexed: chance(4),
      isIndexedBySpotlight: chance(5), defaultValue: optional(nonNullValue()),
      valueClassName: optional(word()), valueTransformerName: optional(word()),
      allowsExternalBinaryDataStorage: chance(4), preservesValueInHistoryOnDeletion: chance(4),
      allowsCloudEncryption: chance(4),
      validationPredicates: (0..<(chance(3) ? count(2) : 0)).map { _ in
        ValidationPredicate(predicate: predicate(depth: 0), warning: optional(.string(word().text)))
      },
      renamingIdentifier: optional("old \(name)"), versionHashModifier: optional(word()),
      userInfo: dictionary(depth: 2))
    if chance(6) {
      attribute.derivation = Derivation(
        expression: expression(depth: 0), filteringPredicate: optional(predicate(depth: 0)))
    } else if chance(4), depth < 3 {
      attribute.type = .composite
      attribute.elements = (0..<count(3)).map { self.attribute("element\($0)", depth: depth + 1) }
    }
    return attribute
  }

  private mutating func relationship(_ name: Name, all: [Name]) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: all[count(all.count - 1)], inverseName: optional(word()),
      minCount: count(3), maxCount: [-1, 0, 1, 10_000][count(3)], isOrdered: chance(3),
      isOptional: chance(2), isTransient: chance(5),
      deleteRule: DeleteRule(rawValue: count(3)) ?? .nullify, isIndexedBySpotlight: chance(5),
      isIndexed: chance(5), isReadOnly: chance(5), renamingIdentifier: optional("old \(name)"),
      versionHashModifier: optional(word()), userInfo: dictionary(depth: 2))
  }

  private mutating func predicate(depth: Int) -> ModelPredicate {
    switch count(depth > 3 ? 1 : 4) {
    case 0:
      return .other(.object(className: "NSFalsePredicate", fields: ["x": value(depth: 2)]))
    case 1:
      let numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99, 100, 1234]
      return .comparison(
        expression(depth: depth),
        .init(rawValue: numbers[count(13)], modifier: count(2), options: count(3)),
        expression(depth: depth))
    case 2: return .not(predicate(depth: depth + 1))
    case 3: return .and((0..<count(3)).map { _ in predicate(depth: depth + 1) })
    default: return .or((0..<count(3)).map { _ in predicate(depth: depth + 1) })
    }
  }

  private mutating func expression(depth: Int) -> ModelExpression {
    switch count(depth > 3 ? 3 : 7) {
    case 0: return .evaluatedObject
    case 1: return .constant(optional(nonNullValue()))
    case 2: return .variable(word().text)
    case 3: return .keyPath(operand: nil, "a.b")
    case 4: return .keyPath(operand: .variable("v"), word().text)
    case 5:
      return .function(
        operand: optional(expression(depth: depth + 1)), name: "sum:",
        arguments: (0..<count(2)).map { _ in expression(depth: depth + 1) })
    case 6: return .aggregate((0..<count(2)).map { _ in expression(depth: depth + 1) })
    default:
      return .other(
        .object(
          className: "NSBlockExpression",
          fields: ["NSExpressionType": .integer(19), "y": value(depth: 2)]))
    }
  }

  private mutating func dictionary(depth: Int) -> [Name: ModelValue] {
    var entries: [Name: ModelValue] = [:]
    for _ in 0..<(chance(2) ? count(3) : 0) { entries[word()] = value(depth: depth) }
    return entries
  }

  private mutating func nonNullValue() -> ModelValue {
    let value = value(depth: 0)
    return value == .null ? .bool(false) : value
  }

  private mutating func value(depth: Int) -> ModelValue {
    switch count(depth > 3 ? 9 : 12) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2: return .integer([.min, -1, 0, 1, 255, 256, 65_536, 1 << 32, .max][count(8)])
    case 3: return .unsigned(.random(in: (UInt64.max / 2 + 1)...UInt64.max, using: &random))
    case 4: return .real([0, -0.0, 1, 0.1, .nan, .infinity, .leastNonzeroMagnitude][count(6)])
    case 5: return .string(word().text)
    case 6: return .data((0..<count(20)).map { UInt8($0) })
    case 7: return .date(Double(count(1000)) / 8)
    case 8: return .uuid("00112233-4455-6677-8899-AABBCCDDEEF\(count(9))")
    case 9: return .url("https://example.org/\(count(9))")
    case 10: return .array((0..<count(3)).map { _ in value(depth: depth + 1) })
    case 11: return .dictionary(dictionary(depth: depth + 1))
    default:
      return .object(
        className: "App.Custom",
        fields: ["f": value(depth: depth + 1), "g": .cycle(className: "App.Custom")])
    }
  }
}
