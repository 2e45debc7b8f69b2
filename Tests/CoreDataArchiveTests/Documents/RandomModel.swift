internal import CoreDataModel

/// Makes random models with everything that a model can contain.
struct RandomModel {
  var random: JSONTestRandom

  init(seed: UInt64) { random = JSONTestRandom(seed: seed) }

  mutating func model() -> ManagedObjectModel {
    ManagedObjectModel(
      entities: list(6) { $0.entity() },
      versionIdentifiers: texts(),
      configurations: Dictionary(list(3) { (Name($0.text()), $0.texts()) }) { $1 },
      fetchRequestTemplateNames: texts(),
      source: [.modelCache, .file, .inferred][number(3)])
  }

  mutating func hashes() -> [Name: VersionHash] {
    Dictionary(list(4) { (Name($0.text()), VersionHash(bytes: $0.bytes())) }) { $1 }
  }

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func flag() -> Bool { number(3) == 0 }

  mutating func list<Element>(_ bound: Int, _ make: (inout Self) -> Element) -> [Element] {
    (0..<number(bound)).map { _ in make(&self) }
  }

  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    flag() ? make(&self) : nil
  }

  mutating func text() -> String { JSONValueTests.text(using: &random) }

  mutating func texts() -> [Name] { list(4) { Name($0.text()) } }

  mutating func bytes() -> [UInt8] { list(40) { UInt8(truncatingIfNeeded: $0.random.next()) } }

  mutating func userInfo() -> [Name: ModelValue] {
    flag() ? entries(3) : [:]
  }

  mutating func entries(_ depth: Int) -> [Name: ModelValue] {
    Dictionary(list(4) { (Name($0.text()), $0.value(depth)) }) { $1 }
  }

  /// A double of any kind.
  mutating func real() -> Double {
    switch number(5) {
    case 0: return [.infinity, -.infinity, -0.0, .nan, 1e300, 5][number(6)]
    case 1: return Double(number(1_000_000_000)) / 1_000
    default:
      let value = Double(bitPattern: random.next())
      return value.isNaN ? 1.5 : value
    }
  }

  mutating func value(_ depth: Int) -> ModelValue {
    switch number(depth > 0 ? 14 : 11) {
    case 0: return .null
    case 1: return .bool(flag())
    case 2: return .integer(Int64(bitPattern: random.next()))
    case 3: return .unsigned(random.next() | 1 << 63)
    case 4: return .real(real())
    case 5: return .string(text())
    case 6: return .data(bytes())
    case 7: return .date(real())
    case 8: return .uuid(text())
    case 9: return .url(text())
    case 10: return .cycle(className: text())
    case 11: return .array(list(4) { $0.value(depth - 1) })
    case 12: return .dictionary(entries(depth - 1))
    default: return .object(className: text(), fields: entries(depth - 1))
    }
  }

  mutating func expression(_ depth: Int) -> ModelExpression {
    switch number(depth > 0 ? 7 : 4) {
    case 0: return .evaluatedObject
    case 1: return .constant(maybe { $0.value(2) })
    case 2: return .variable(text())
    case 3: return .other(value(1))
    case 4: return .keyPath(operand: maybe { $0.expression(depth - 1) }, text())
    case 5:
      return .function(
        operand: maybe { $0.expression(depth - 1) }, name: text(),
        arguments: list(3) { $0.expression(depth - 1) })
    default: return .aggregate(list(3) { $0.expression(depth - 1) })
    }
  }

  mutating func predicate(_ depth: Int) -> ModelPredicate {
    switch number(depth > 0 ? 5 : 2) {
    case 0:
      let symbol = ModelPredicate.Operator(
        rawValue: [0, 4, 10, 99, 100, 77, -5][number(7)], modifier: number(3), options: number(4))
      return .comparison(expression(2), symbol, expression(2))
    case 1: return .other(value(1))
    case 2: return .not(predicate(depth - 1))
    case 3: return .and(list(3) { $0.predicate(depth - 1) })
    default: return .or(list(3) { $0.predicate(depth - 1) })
    }
  }

  mutating func rules() -> [ValidationPredicate] {
    list(3) { maker in
      ValidationPredicate(predicate: maker.predicate(2), warning: maker.maybe { $0.value(1) })
    }
  }

  mutating func entity() -> EntityDescription {
    var entity = EntityDescription(
      name: Name(text()), className: maybe { Name($0.text()) }, isAbstract: flag(),
      superentityName: maybe { Name($0.text()) },
      uniquenessConstraints: list(3) { $0.texts() }, compoundIndexes: list(3) { $0.texts() },
      fetchIndexes: list(3) { $0.fetchIndex() },
      renamingIdentifier: maybe { Name($0.text()) }, versionHashModifier: maybe { Name($0.text()) },
      userInfo: userInfo())
    // Set one by one, they may stand in any order.
    entity.attributes = list(6) { $0.attribute(2) }
    entity.relationships = list(5) { $0.relationship() }
    entity.fetchedProperties = list(3) { $0.fetchedProperty() }
    return entity
  }

  mutating func attribute(_ depth: Int) -> AttributeDescription {
    let type = AttributeType(rawValue: [0, 100, 700, 900, 1800, 2100, 12_345, -7][number(8)])
    return AttributeDescription(
      name: Name(text()), type: type, isOptional: flag(), isTransient: flag(), isReadOnly: flag(),
      isIndexed: flag(), isIndexedBySpotlight: flag(), defaultValue: maybe { $0.value(2) },
      valueClassName: maybe { Name($0.text()) }, valueTransformerName: maybe { Name($0.text()) },
      allowsExternalBinaryDataStorage: flag(), preservesValueInHistoryOnDeletion: flag(),
      allowsCloudEncryption: flag(), validationPredicates: rules(),
      derivation: maybe { maker in
        Derivation(
          expression: maker.expression(2), filteringPredicate: maker.maybe { $0.predicate(1) })
      },
      elements: depth > 0 ? list(3) { $0.attribute(depth - 1) } : [],
      renamingIdentifier: maybe { Name($0.text()) }, versionHashModifier: maybe { Name($0.text()) },
      userInfo: userInfo())
  }

  mutating func relationship() -> RelationshipDescription {
    RelationshipDescription(
      name: Name(text()), destinationName: Name(text()), inverseName: maybe { Name($0.text()) },
      minCount: number(3), maxCount: number(4) - 1, isOrdered: flag(), isOptional: flag(),
      isTransient: flag(), deleteRule: [.noAction, .nullify, .cascade, .deny][number(4)],
      isIndexedBySpotlight: flag(), isIndexed: flag(), isReadOnly: flag(),
      validationPredicates: rules(), renamingIdentifier: maybe { Name($0.text()) },
      versionHashModifier: maybe { Name($0.text()) }, userInfo: userInfo())
  }

  mutating func fetchedProperty() -> FetchedPropertyDescription {
    FetchedPropertyDescription(
      name: Name(text()), fetchedEntityName: maybe { Name($0.text()) },
      predicate: maybe { $0.predicate(2) },
      sortDescriptors: list(3) { maker in
        FetchedPropertyDescription.SortDescriptor(
          key: maker.maybe { Name($0.text()) }, isAscending: maker.flag(),
          selectorName: maker.flag() ? "compare:" : maker.maybe { Name($0.text()) })
      },
      fetchLimit: number(3), isOptional: flag(), renamingIdentifier: maybe { Name($0.text()) },
      versionHashModifier: maybe { Name($0.text()) }, userInfo: userInfo())
  }

  mutating func fetchIndex() -> FetchIndexDescription {
    FetchIndexDescription(
      name: Name(text()),
      elements: list(3) { maker in
        FetchIndexDescription.Element(
          propertyName: maker.maybe { Name($0.text()) },
          expression: maker.maybe { $0.expression(1) },
          isAscending: maker.flag(), kind: maker.number(3))
      },
      partialIndexPredicate: maybe { $0.predicate(1) })
  }
}
