/// A problem that a rule reports in one place.
public struct ModelProblem: Sendable, Equatable {
  /// The code.
  public let code: ModelRuleCode
  /// The entity.
  public let entityName: String
  /// The property; nil for a problem of the entity itself.
  public let propertyName: String?
  /// Details, as a clause; empty if the meaning of the code says it all.
  public let detail: String

  /// Creates a problem in a place.
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
