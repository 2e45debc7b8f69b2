/// Something that a rule for models names in one place.
public struct ModelProblem: Sendable, Equatable {
  /// What it is.
  public let code: ModelRuleCode
  /// The entity.
  public let entityName: String
  /// The property; nil where it is the entity itself.
  public let propertyName: String?
  /// What is so here, as a clause; empty where the meaning of the code says it all.
  public let detail: String

  /// Creates a problem.
  init(_ code: ModelRuleCode, _ entityName: String, _ propertyName: String?, _ detail: String = "")
  {
    self.code = code
    self.entityName = entityName
    self.propertyName = propertyName
    self.detail = detail
  }

  /// The place, such as `Trip.legs`.
  public var place: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }
}
