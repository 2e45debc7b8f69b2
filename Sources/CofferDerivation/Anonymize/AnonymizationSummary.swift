public import CofferCore
public import CoreDataModel

/// The result of a share.
public struct AnonymizationSummary: Sendable {
  /// The content of the result.
  public var content = ContentCounts()
  /// The numbers of objects that were chosen, added and left out, and of relationships that were
  /// unset.
  public var selection = SelectionSummary()
  /// The relationships that lost destinations because these were left out.
  package var cuts: [AnonymizationCut] = []
  /// The UUID of the result, a new one.
  public var storeUUID = ""
  /// Whether values were replaced.
  public var isReplaced = true
  /// Whether every value that carries information was replaced.
  public var isAnonymous: Bool {
    isReplaced && kept.isEmpty && staying.isEmpty && statements.isEmpty
  }
  /// The attributes whose values are kept by a rule, as `Entity.attribute`.
  public var kept: [Name] = []
  /// The other attributes with kept values, as `Entity.attribute` or table and column: true and false,
  /// whole numbers below 1,000, and in JSON texts and property lists the names as well.
  public var staying: [String] = []
  /// The tables, indexes, views and triggers whose SQL may contain values, which are kept, as `trigger
  /// NAME`.
  public var statements: [String] = []
  /// The attributes with few different values in many objects, which may be worth keeping, as
  /// `Entity.attribute`, with the number of different values.
  public var enumerations: [(attribute: Name, count: Int)] = []
  /// The findings of the result by code: the source's findings, unless the share removed them.
  public var findings: [FindingCode: Int] = [:]
}

/// A relationship that lost destinations because these were left out.
package struct AnonymizationCut: Sendable, Equatable {
  /// The entity that declares it.
  package var entityName: Name
  /// Its name.
  package var relationshipName: Name
  /// The number of lost destinations.
  package var count: Int
}

/// The reason why an object was included.
package struct AnonymizedObject: Sendable, Equatable {
  /// The object; its entity is the root if only its table is known.
  package var id: ManagedObjectID
  /// The relationship that leads to it, as `Entity.relationship`; nil if it was chosen.
  package var relationship: Name?
  /// The object at the start of the relationship; nil if it was chosen.
  package var from: ManagedObjectID?
}
