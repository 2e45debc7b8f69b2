public import CofferCore
public import CofferTables
public import CoreDataModel

/// The objects of a store to share, and the treatment of their values.
public struct AnonymizationOptions: Sendable {
  /// The relationships of chosen objects that are followed.
  package enum Closure: String, Sendable, CaseIterable {
    /// Only to the objects that an object needs: the destinations of relationships that are not
    /// optional, or that must have none or at least two.
    case required
    /// Also to the destinations of all to-one relationships.
    case toOne = "to-one"
    /// Along all relationships.
    case all
  }

  // MARK: Which objects

  /// The chosen objects; nil for all, unless others are named.
  public var selection: ObjectSelection?
  /// Objects that are chosen by their IDs.
  public var objects: [ManagedObjectID] = []
  /// Findings whose objects are chosen, with all related objects; the result has the same findings.
  public var findings: [FindingCode] = []
  /// The number of objects of each entity to choose from the selection; nil for all.
  public var sampleCount: Int?
  /// The seed that chooses the objects of a sample: the same seed chooses the same ones.
  public var seed: UInt64 = 0
  /// Which objects come along.
  package var closure = Closure.required
  /// Additional relationships to follow, as `Entity.relationship`.
  public var followed: [Name] = []
  /// Relationships to follow only if they are required, as `Entity.relationship`.
  public var stopped: [Name] = []
  /// The number of objects after which only required ones are added; nil for no limit.
  public var limit: Int?

  // MARK: What becomes of values

  /// Whether values are replaced.
  public var isAnonymous = true
  /// Attributes whose values stay, as `Entity.attribute`.
  public var kept: [Name] = []
  /// The rules for the values of attributes, by `Entity.attribute`.
  package var rules: [(attribute: Name, rule: ReplacementRule)] = []

  // MARK: Reading and writing

  /// Whether an existing target is replaced.
  public var overwriting = false
  /// How to read the source, and where to put temporary files.
  public var environment = WorkEnvironment()

  /// Creates options; by default, everything is shared, and texts, blobs and numbers are replaced.
  public init() {}

  var sharesEverything: Bool {
    selection == nil && objects.isEmpty && findings.isEmpty && sampleCount == nil
  }
}

/// The form of a share.
public enum AnonymizationTarget: Sendable, Equatable {
  case archive
  case store
  /// A folder of tables for other programs.
  case tables(DataFormat)
}
