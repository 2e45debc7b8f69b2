public import CoreDataModel

/// A defect in the data of a store: a result, not an error.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// What it is about.
  public var code: FindingCode
  /// The entity it concerns, or nil where it concerns none.
  public var entityName: String?
  /// The object it concerns, or nil where it concerns none in particular.
  public var objectID: ManagedObjectID?
  /// The property it concerns, or nil.
  public var propertyName: String?
  /// What exactly was seen, without values of the user's data; empty when the code says it all.
  public var detail: String

  /// Creates a finding.
  public init(
    _ code: FindingCode, entityName: String? = nil, objectID: ManagedObjectID? = nil,
    propertyName: String? = nil, detail: String = ""
  ) {
    self.code = code
    self.entityName = entityName ?? objectID?.entityName
    self.objectID = objectID
    self.propertyName = propertyName
    self.detail = detail
  }

  /// How bad it is.
  public var severity: FindingSeverity { code.severity }

  /// Where it is: `Person/p7.manager`, or as much of that as is known; empty where nothing is.
  public var place: String {
    let owner = objectID?.description ?? entityName ?? ""
    guard let propertyName else { return owner }
    return owner.isEmpty ? propertyName : "\(owner).\(propertyName)"
  }

  /// The finding in one line, such as `error: Person/p7.manager: the relationship leads to …`.
  public var description: String {
    let text = detail.isEmpty ? code.meaning : "\(code.meaning) (\(detail))"
    return [severity.rawValue, place, text].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
