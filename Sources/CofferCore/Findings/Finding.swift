public import CoreDataModel
public import CoreDataStore

/// A defect in the data of a store: a result, not an error.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// The kind of defect.
  public var code: FindingCode
  /// The affected entity, or nil if there is none.
  public var entityName: Name?
  /// The affected object, or nil if there is none in particular.
  public var objectID: ManagedObjectID?
  /// The affected property, or nil.
  public var propertyName: Name?
  /// Details, without values of the user's data; empty if the code says it all.
  public var detail: String
  /// The number of findings that it represents: 1, unless there are too many of a kind to report each.
  public var multiplicity = 1

  /// Creates a finding; the entity is the object's unless you pass another.
  public init(
    _ code: FindingCode, entityName: Name? = nil, objectID: ManagedObjectID? = nil,
    propertyName: Name? = nil, detail: String = ""
  ) {
    self.code = code
    self.entityName = entityName ?? objectID?.entityName
    self.objectID = objectID
    self.propertyName = propertyName
    self.detail = detail
  }

  /// The severity of the code.
  public var severity: FindingSeverity { code.severity }

  /// The place: `Person/p7.manager`, or the known part of it; empty if nothing is known.
  public var place: String {
    let owner = objectID?.description ?? entityName?.text ?? ""
    guard let propertyName else { return owner }
    return owner.isEmpty ? propertyName.text : "\(owner).\(propertyName)"
  }

  /// The finding in one line, such as `error: Person/p7.manager: the relationship leads to …`.
  public var description: String {
    let text = detail.isEmpty ? code.meaning : "\(code.meaning) (\(detail))"
    return [severity.rawValue, place, text].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// The severity of a finding.
public enum FindingSeverity: String, Sendable, Hashable, Comparable, CaseIterable {
  /// Worth knowing; nothing is wrong.
  case info
  /// Unusual; Core Data copes with it.
  case warning
  /// Wrong; the app may lose data, show nothing, or crash.
  case error

  /// Whether one severity is lower than the other.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }
}

extension PersistentStore {
  /// The problem of the store's own copy of its model, in the words of a verification; nil if it can be
  /// used, or if stores of this framework have none.
  public var modelDefect: String? {
    if let modelProblem {
      return "\(FindingCode.unreadableModelCache.meaning): \(modelProblem.detail)"
    }
    guard model.source == .inferred, unreadableParts.isEmpty, let frameworkVersion,
      FrameworkEra(version: frameworkVersion).keepsModel
    else { return nil }
    return FindingCode.missingModelCache.meaning
  }
}
