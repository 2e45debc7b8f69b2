public import CofferCore
public import CoreDataModel

/// What was shared, and what was not.
public struct ShareSummary: Sendable {
  /// What the result contains.
  public var content = ContentCounts()
  /// The number of objects that were chosen, that came along, and that were left out, and of
  /// relationships that were unset.
  public var selection = SelectionSummary()
  /// The relationships that lost objects that were left out.
  public var cuts: [ShareCut] = []
  /// The UUID of the result, a new one.
  public var storeUUID = ""
  /// Whether values were replaced.
  public var isReplaced = true
  /// Whether every value was replaced that says anything.
  public var isAnonymous: Bool {
    isReplaced && kept.isEmpty && staying.isEmpty && statements.isEmpty
  }
  /// The attributes whose values stay because that was asked for, as `Entity.attribute`.
  public var kept: [String] = []
  /// The others of which some values stay: true and false, whole numbers below 1,000, and both of them
  /// with the names in JSON texts and property lists; as `Entity.attribute`, or the table and its column.
  public var staying: [String] = []
  /// The tables, indexes, views and triggers whose SQL can hold values, which stay in it, as `trigger NAME`.
  public var statements: [String] = []
  /// The attributes with few different values in many objects, which may be worth keeping, as
  /// `Entity.attribute`, with the number of different values.
  public var enumerations: [(attribute: String, count: Int)] = []
  /// The findings of the result by code; those of its source, unless they are gone.
  public var findings: [FindingCode: Int] = [:]
}

/// A relationship that lost objects that were left out.
public struct ShareCut: Sendable, Equatable {
  /// The entity that declares it.
  public var entityName: String
  /// Its name.
  public var relationshipName: String
  /// The number of destinations that were lost.
  public var count: Int
}

/// Why an object is in a share.
public struct SharedObject: Sendable, Equatable {
  /// The object; where it was found by its table alone, its entity is the root.
  public var id: ManagedObjectID
  /// The relationship that led to it, as `Entity.relationship`; nil if it was chosen.
  public var relationship: String?
  /// The object that the relationship led from; nil if it was chosen.
  public var from: ManagedObjectID?
}
