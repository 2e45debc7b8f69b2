package import CoreDataModel

/// Checks a model for constructs that cause trouble, and for constructs that CloudKit refuses.
///
/// ```swift
/// let problems = ModelLint(mirrorsToCloudKit: true).problems(in: model)
/// ```
package struct ModelLint: Sendable {
  static let rules: [ModelRule] = [
    .missingInverse, .requiredOneToOne, .deny, .noAction, .sparseTable, .inlineBinary,
    .homemadeOrder,
  ]

  static let cloudRules: [ModelRule] = [
    .cloudInverse, .cloudRequiredRelationship, .cloudDeny, .cloudOrdered, .cloudUniqueness,
    .cloudRequiredAttribute, .cloudAttributeType,
  ]

  /// If the first is reported, the second is not: it is the same, only less severe.
  private static let superseded: [ModelRuleCode: ModelRuleCode] = [
    ModelRule.missingInverse.code: ModelRule.cloudInverse.code,
    ModelRule.deny.code: ModelRule.cloudDeny.code,
  ]

  /// Whether the CloudKit rules apply too.
  package var mirrorsToCloudKit: Bool

  /// Creates a lint, without the CloudKit rules by default.
  package init(mirrorsToCloudKit: Bool = false) { self.mirrorsToCloudKit = mirrorsToCloudKit }

  /// The problems, in the order of the entities and their properties; problems of one place are in
  /// the order of the codes.
  package func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    let rules = mirrorsToCloudKit ? Self.rules + Self.cloudRules : Self.rules
    let all = rules.flatMap { $0.problems(in: model) }
    let places = Set(all.map { [$0.code.text, $0.place] })
    let wanted = all.filter { problem in
      guard let worse = Self.superseded[problem.code] else { return true }
      return !places.contains([worse.text, problem.place])
    }
    return wanted.enumerated().sorted { one, other in
      let (left, right) = (one.element, other.element)
      if left.entityName != right.entityName {
        return left.entityName < right.entityName
      }
      let (first, second) = (left.propertyName ?? "", right.propertyName ?? "")
      return first == second
        ? one.offset < other.offset : first < second
    }.map(\.element)
  }
}

/// A rule for models: the places that break it, and the code of its problems.
struct ModelRule: Sendable {
  /// A place that breaks the rule: an entity, or a property of it, and details as a clause.
  typealias Place = (entityName: Name, propertyName: Name?, detail: String)

  let code: ModelRuleCode
  /// The places in a model, in the order of its entities.
  let places: @Sendable (ManagedObjectModel) -> [Place]

  /// The problems in a model, in the order of its entities.
  func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    places(model).map {
      ModelProblem(
        code: code, entityName: $0.entityName, propertyName: $0.propertyName, detail: $0.detail)
    }
  }

  static func relationships(
    _ code: ModelRuleCode,
    where isProblem: @escaping @Sendable (RelationshipDescription, ManagedObjectModel) -> Bool,
    detail: @escaping @Sendable (RelationshipDescription, ManagedObjectModel) -> String = { _, _ in
      ""
    }
  ) -> ModelRule {
    ModelRule(code: code) { model in
      model.entities.flatMap { entity in
        entity.relationships.filter { !$0.isTransient && isProblem($0, model) }
          .map { (entity.name, $0.name, detail($0, model)) }
      }
    }
  }

  /// A rule that persistent attributes break; composite attributes are checked by their elements.
  static func attributes(
    _ code: ModelRuleCode, where isProblem: @escaping @Sendable (AttributeDescription) -> Bool
  ) -> ModelRule {
    @Sendable func found(_ attribute: AttributeDescription, _ path: Name) -> [Name] {
      guard !attribute.isTransient else { return [] }
      if !attribute.elements.isEmpty {
        return attribute.elements.flatMap { found($0, "\(path).\($0.name)") }
      }
      return isProblem(attribute) ? [path] : []
    }
    return ModelRule(code: code) { model in
      model.entities.flatMap { entity in
        entity.attributes.flatMap { found($0, $0.name) }.map { (entity.name, $0, "") }
      }
    }
  }
}

/// A problem that a rule reports in one place.
package struct ModelProblem: Sendable, Equatable {
  /// The code.
  package let code: ModelRuleCode
  /// The entity.
  package let entityName: Name
  /// The property; nil for a problem of the entity itself.
  package let propertyName: Name?
  /// Details, as a clause; empty if the meaning of the code says it all.
  package let detail: String

  /// The place, such as `Trip.legs`.
  package var place: String { propertyName.map { "\(entityName).\($0)" } ?? entityName.text }
}

/// The code of a model rule, with its meaning and remedy.
///
/// docs/model-rules.md describes the codes.
package struct ModelRuleCode: Sendable, Hashable {
  /// The stable text, in kebab case; scripts may depend on it.
  package let text: String
  /// `error` for constructs that CloudKit refuses, `warning` for constructs that work but cause trouble.
  package let severity: FindingSeverity
  /// The meaning, as a sentence.
  package let meaning: String
  /// The remedy, as a sentence.
  package let remedy: String

  /// Whether two codes have the same text.
  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
  /// Feeds the text to a hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ModelRuleCode: CaseIterable {
  /// All codes: first the codes for every model, then the codes for models that CloudKit mirrors.
  package static var allCases: [ModelRuleCode] {
    (ModelLint.rules + ModelLint.cloudRules).map { $0.code }
  }
}
