package import CoreDataModel

/// Checks a model for constructs that cause trouble, and for constructs that CloudKit refuses.
///
/// ```swift
/// let problems = ModelLint(mirrorsToCloudKit: true).problems(in: model)
/// ```
package struct ModelLint: Sendable {
  /// The rules for every model.
  static let rules: [any ModelRule.Type] = [
    MissingInverseRule.self, RequiredOneToOneRule.self, DenyRule.self, NoActionRule.self,
    SparseTableRule.self, InlineBinaryRule.self, HomemadeOrderRule.self,
  ]

  /// The rules for models that CloudKit mirrors.
  static let cloudRules: [any ModelRule.Type] = [
    CloudInverseRule.self, CloudRequiredRelationshipRule.self, CloudDenyRule.self,
    CloudOrderedRule.self, CloudUniquenessRule.self, CloudRequiredAttributeRule.self,
    CloudAttributeTypeRule.self,
  ]

  /// If the first is reported, the second is not: it is the same, only less severe.
  private static let superseded: [ModelRuleCode: ModelRuleCode] = [
    MissingInverseRule.code: CloudInverseRule.code, DenyRule.code: CloudDenyRule.code,
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

/// A model rule.
protocol ModelRule: Sendable {
  /// The code of its problems.
  static var code: ModelRuleCode { get }
  /// The problems in a model, in the order of its entities.
  static func problems(in model: ManagedObjectModel) -> [ModelProblem]
}

extension ModelRule {
  /// The persistent relationships of a model that meet a condition, as problems.
  static func relationships(
    of model: ManagedObjectModel, where isProblem: (RelationshipDescription) -> Bool,
    detail: (RelationshipDescription) -> String = { _ in "" }
  ) -> [ModelProblem] {
    model.entities.flatMap { entity in
      entity.relationships.filter { !$0.isTransient && isProblem($0) }
        .map { ModelProblem(code, entity.name, $0.name, detail($0)) }
    }
  }

  /// The persistent attributes of a model that meet a condition, as problems; composite attributes
  /// are checked by their elements.
  static func attributes(
    of model: ManagedObjectModel, where isProblem: (AttributeDescription) -> Bool
  ) -> [ModelProblem] {
    func found(_ attribute: AttributeDescription, _ path: Name) -> [Name] {
      guard !attribute.isTransient else { return [] }
      if !attribute.elements.isEmpty {
        return attribute.elements.flatMap { found($0, "\(path).\($0.name)") }
      }
      return isProblem(attribute) ? [path] : []
    }
    return model.entities.flatMap { entity in
      entity.attributes.flatMap { found($0, $0.name) }
        .map { ModelProblem(code, entity.name, $0) }
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

  /// Creates a problem in a place.
  init(_ code: ModelRuleCode, _ entityName: Name, _ propertyName: Name?, _ detail: String = "") {
    self.code = code
    self.entityName = entityName
    self.propertyName = propertyName
    self.detail = detail
  }

  /// The place, such as `Trip.legs`.
  package var place: String { propertyName.map { "\(entityName).\($0)" } ?? entityName.text }
}

/// Relationships with the delete rule Deny.
enum DenyRule: ModelRule {
  static let code = ModelRuleCode(
    text: "deny-delete-rule", severity: .warning,
    meaning: """
      With the delete rule Deny, saving fails as long as there are destinations, possibly far from \
      the code that deletes.
      """,
    remedy: "Use Nullify or Cascade, and ask the user before deleting.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .deny }
  }
}

/// Relationships without inverse.
enum MissingInverseRule: ModelRule {
  static let code = ModelRuleCode(
    text: "missing-inverse", severity: .warning,
    meaning: """
      A relationship has no inverse, so nothing updates it when its destination is deleted: it keeps \
      pointing to an object that no longer exists.
      """,
    remedy: "Give it an inverse, even one that the app never reads.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) {
      model.inverse(of: $0) == nil
    } detail: { relationship in
      relationship.inverseName.map { "there is no relationship \($0)" } ?? ""
    }
  }
}

/// Relationships with the delete rule No Action.
enum NoActionRule: ModelRule {
  static let code = ModelRuleCode(
    text: "no-action-delete-rule", severity: .warning,
    meaning: """
      With the delete rule No Action, the inverse of the destinations keeps pointing to a deleted \
      object, unless the app corrects it.
      """,
    remedy: "Use Nullify or Cascade.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    relationships(of: model) { $0.deleteRule == .noAction }
  }
}

/// One-to-one relationships that both sides require.
enum RequiredOneToOneRule: ModelRule {
  static let code = ModelRuleCode(
    text: "required-one-to-one", severity: .warning,
    meaning: """
      Both sides of a one-to-one relationship are required, so neither object can be saved before, \
      or deleted without, the other.
      """,
    remedy: "Make one side optional, or merge the entities.")

  static func problems(in model: ManagedObjectModel) -> [ModelProblem] {
    // Of the two sides the first is named.
    var seen: Set<[Name]> = []
    return model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> ModelProblem? in
        guard isRequired(relationship), let inverse = model.inverse(of: relationship),
          isRequired(inverse.relationship),
          seen.insert([entity.name, relationship.name]).inserted,
          seen.insert([inverse.declaredBy, inverse.relationship.name]).inserted
        else { return nil }
        return ModelProblem(
          code, entity.name, relationship.name,
          "its inverse is \(inverse.declaredBy).\(inverse.relationship.name)")
      }
    }
  }

  private static func isRequired(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isToMany && !relationship.isOptional && !relationship.isTransient
  }
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
