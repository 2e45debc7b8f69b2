public import CofferCore
public import CofferTables
public import CoreDataModel

/// What is shared of a store, and what becomes of its values.
public struct ShareOptions: Sendable {
  /// How far the relationships of chosen objects are followed.
  public enum Closure: String, Sendable, CaseIterable {
    /// To what an object needs: the destinations of relationships that are not optional, and of those
    /// that must have none or at least two.
    case required
    /// To the destinations of all to-one relationships, too.
    case toOne = "to-one"
    /// Along all relationships.
    case all
  }

  // MARK: Which objects

  /// The chosen objects; nil for all, unless others are named.
  public var selection: ObjectSelection?
  /// Objects that are chosen by their IDs.
  public var objects: [ManagedObjectID] = []
  /// Findings whose objects are chosen, with all that they are related to; the result shows them too.
  public var findings: [FindingCode] = []
  /// The number of objects of each entity that are chosen of the selection; nil for all.
  public var sampleCount: Int?
  /// What decides which objects a sample has: the same seed chooses the same ones.
  public var seed: UInt64 = 0
  /// Which objects come along.
  public var closure = Closure.required
  /// Relationships that are followed besides, as `Entity.relationship`.
  public var followed: [String] = []
  /// Relationships that are followed only where they are required, as `Entity.relationship`.
  public var stopped: [String] = []
  /// The number of objects from which on only required ones come along; nil for none.
  public var limit: Int?

  // MARK: What becomes of values

  /// Whether values are replaced.
  public var isAnonymous = true
  /// Attributes whose values stay, as `Entity.attribute`.
  public var kept: [String] = []
  /// What becomes of the values of attributes, as `Entity.attribute`.
  public var rules: [(attribute: String, rule: ReplacementRule)] = []

  // MARK: Reading and writing

  /// Whether an existing target is replaced.
  public var overwriting = false
  /// How an archive is read, and where temporary files are.
  public var archiveAccess = ArchiveAccess()
  /// The required model of the source; nil for its own.
  public var model: LoadedModel?

  /// Creates options; by default, everything is shared, and texts, blobs and numbers are replaced.
  public init() {}

  /// Whether all objects are shared.
  var sharesEverything: Bool {
    selection == nil && objects.isEmpty && findings.isEmpty && sampleCount == nil
  }
}

/// The form of a share.
public enum ShareTarget: Sendable, Equatable {
  /// An archive.
  case archive
  /// A store.
  case store
  /// A folder of tables for other programs.
  case tables(DataFormat)
}
