public import CofferComparison
public import CofferCore
public import CofferTables
public import CoreDataModel

/// The rule that settles conflicts between two stores.
///
/// The names are the names of Core Data's merge policies, where the changed store is the persistent
/// store, and the other store is the object in memory.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written, and every conflict is reported.
  case error
  /// Conflicting properties keep the values of the store.
  case mergeByPropertyStoreTrump
  /// Conflicting properties get the values of the other store.
  case mergeByPropertyObjectTrump
  /// Objects with a conflict get all values of the other store.
  case overwrite
  /// Objects with a conflict keep all values of the store.
  case rollback

  /// Whether the other store wins.
  package var prefersOther: Bool { self == .mergeByPropertyObjectTrump || self == .overwrite }
}

/// A contradiction between two stores.
public struct MergeConflict: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of contradictions.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A property has two values: both stores changed it, or there is no common state before.
    case property
    /// The other store deleted an object that the store changed, or that gained references there.
    case changedHere = "changed-here"
    /// The store deleted an object that the other store changed.
    case deletedHere = "deleted-here"
    /// A delete rule would delete an object that one store added, together with one that the other store
    /// deleted.
    case cascade
    /// A delete rule forbids a deletion.
    case denied
    /// A relationship leads to an object that the store deleted.
    case missingDestination = "missing-destination"
    /// Both stores moved the destinations of an ordered relationship.
    case order
    /// Another object of the store has the value, which must be unique.
    case uniqueness
  }

  /// The kind of contradiction.
  package var kind: Kind
  /// The object: of the store, or of the other store where the store has none.
  public var objectID: ManagedObjectID
  /// The property; nil if it is the object itself.
  public var propertyName: Name?
  /// A readable name for the object: its name or title, or another text; nil if it has none.
  public var title: String?
  /// The conflicting values of each side.
  public var values: Values?

  /// The values of the sides of a merge.
  ///
  /// For a property, the value as JSON, or the destinations with their titles, in order. For an object,
  /// the object with its title, or the properties that one store changed as a JSON object. Nil means no
  /// value, or no such object. A large value is replaced by its number of bytes.
  public struct Values: Sendable, Hashable {
    /// Whether there is a state that both stores come from.
    public var hasBase = false
    /// In that state.
    public var base: String?
    /// In the store.
    public var ours: String?
    /// In the other store.
    public var theirs: String?
    /// The other object with a value that must be unique, with its title; nil for conflicts of other kinds.
    public var holder: String?
  }

  /// The object with the property, and the conflict.
  public var description: String {
    let name = propertyName.map { "\(objectID).\($0)" } ?? "\(objectID)"
    let text =
      switch kind {
      case .property: "the stores have different values"
      case .changedHere: "the other store deleted it, and this one uses it"
      case .deletedHere: "this store deleted it, and the other one uses it"
      case .cascade: "a deletion would also delete it, but it was added since"
      case .denied: "the delete rule forbids deleting it"
      case .missingDestination: "this store deleted the destination"
      case .order: "both stores moved the destinations"
      case .uniqueness: "another object has the value"
      }
    return "\(name): \(text)"
  }
}

/// All conflicts of a merge; a limited number of them are listed.
public struct MergeConflicts: Sendable, Equatable {
  /// The maximum number of conflicts in the list.
  public static let listLimit = 1000

  /// The first conflicts.
  public private(set) var list: [MergeConflict] = []
  /// The number of all conflicts.
  public private(set) var count = 0

  var hasRoom: Bool { list.count < Self.listLimit }

  mutating func add(_ conflict: MergeConflict) {
    count += 1
    if hasRoom { list.append(conflict) }
  }
}

extension CofferError {
  /// The conflicts that prevented the merge; empty for errors with codes other than
  /// ``Code/mergeConflicts``.
  public var mergeConflicts: MergeConflicts { evidence as? MergeConflicts ?? MergeConflicts() }
}

/// Options for merging stores.
public struct MergeOptions: Sendable {
  /// The rule that settles conflicts; nil for `error`, or for tables, whose values then replace the
  /// store's without a conflict.
  public var policy: MergePolicy?
  /// The properties that identify the objects of some entities; other entities use their uniqueness
  /// constraints.
  public var naturalKeys: [NaturalKey] = []
  /// Whether to match objects by entity and primary key instead of uniqueness constraints; without a base, also if the
  /// stores have different UUIDs.
  public var matchesByObjectID = false
  /// The objects of the other store to merge, with the objects that they need and that the store does not
  /// have; nil for everything.
  ///
  /// All others count as unchanged, so nothing is deleted. A relationship with one of them is kept if the
  /// store has it too.
  public var selection: ObjectSelection?
  /// The options of every change of a store.
  public var editing = EditingOptions()
  /// The options for reading tables, if the other store is made of tables.
  ///
  /// Attributes that are keys of tables identify objects of entities without `naturalKeys`.
  public var tables = SheetOptions()
  /// How to read archives to merge, or the base.
  public var environment = WorkEnvironment()

  /// Creates the default options.
  public init() {}

  /// Whether a path contains tables for a merge: a folder, a text file, or standard input.
  static func isTables(_ path: String) -> Bool { path == "-" || SheetImporter.isTable(path) }
}

/// The result of merging stores.
public struct MergeSummary: Sendable {
  /// The objects, pairs and other rows of the store that were added, changed and removed.
  public var differences: ComparisonSummary
  /// The objects selected from the other store; nil for everything.
  public var selection: SelectionSummary?
  /// The conflicts that the policy settled; in a preview, all conflicts.
  public var conflicts = MergeConflicts()
  /// The conflicts that would prevent a merge; only in a preview, which shows the rest.
  public var openConflicts = MergeConflicts()
  /// The matching of the objects of both stores; empty if by object ID alone.
  package var matching: [EntityMatching] = []
  /// The number of objects that delete rules deleted, in addition to the stores' own deletions.
  public var consequenceCount = 0
  /// The names of tables that the model does not explain, and in which the other store has changes, which are not
  /// merged.
  public var tablesLeftOut: [String] = []
  /// The warnings that the store did not have, a limited number of each kind.
  public var findings: [Finding] = []
  /// The UUID of the store.
  public var storeUUID: String?
}
