public import CoreDataModel

/// Checks a model for constructs that cause trouble, and for what CloudKit refuses.
///
/// ```swift
/// let problems = ModelLint(mirrorsToCloudKit: true).problems(in: model)
/// ```
public struct ModelLint: Sendable {
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
  public var mirrorsToCloudKit: Bool

  /// Creates a lint, without the CloudKit rules by default.
  public init(mirrorsToCloudKit: Bool = false) { self.mirrorsToCloudKit = mirrorsToCloudKit }

  /// The problems, in the order of the entities and their properties; those of one place in the
  /// order of the codes.
  public func problems(in model: ManagedObjectModel) -> [ModelProblem] {
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
        return codeUnitsAscend(left.entityName, right.entityName)
      }
      let (first, second) = (left.propertyName ?? "", right.propertyName ?? "")
      return first == second ? one.offset < other.offset : codeUnitsAscend(first, second)
    }.map(\.element)
  }
}
