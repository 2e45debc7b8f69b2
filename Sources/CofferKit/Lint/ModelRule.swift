internal import CoreDataModel

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
    func found(_ attribute: AttributeDescription, _ path: String) -> [String] {
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
