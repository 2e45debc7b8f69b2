/// The checks of the verifier by their stable names, in the order in which they are listed.
public enum CheckName: String, Sendable, Hashable, CaseIterable {
  /// The file: its header, its pages, its write-ahead log. Stores only.
  case sqlite
  /// The store metadata.
  case metadata
  /// The version hashes of the entities, their digest and the model's checksum.
  case versionHashes = "version-hashes"
  /// The store's own copy of its model.
  case modelCache = "model-cache"
  case entityNumbers = "entity-numbers"
  /// The tables and columns that the model requires.
  case schema
  /// Whether the model is the given one.
  case model
  /// The counters of primary keys.
  case counters
  /// The primary key and the entity of each object.
  case entities
  /// The version counter of each object, compared with the persistent history.
  case versions
  /// To-one relationships and to-many relationships without inverse.
  case references
  /// Many-to-many relationships.
  case pairs
  /// Both ends of one-to-one relationships.
  case inverses
  /// The positions in ordered relationships.
  case order
  /// Required attributes and relationships.
  case required
  /// The minimum and maximum count of to-many relationships.
  case cardinality
  /// Uniqueness constraints.
  case uniqueness
  /// Whether values match the types of their attributes.
  case values
  /// The validations of the model.
  case validation
  /// The files of external binary data.
  case externalData = "external-data"
  /// Persistent history.
  case history
  /// Derived attributes.
  case derived
  case spatialIndex = "spatial-index"
  /// The structure of an archive: its entries, index, digests and counts. Archives only.
  case archive
  /// A comparison with an older state, if one is given.
  case against
  /// The verification itself.
  case verification
  /// The checks that an app adds; the command has none.
  case own

  /// The checks of the verifier itself: all but ``own``.
  public static let allCases: [CheckName] = [
    .sqlite, .metadata, .versionHashes, .modelCache, .entityNumbers, .schema, .model, .counters,
    .entities, .versions, .references, .pairs, .inverses, .order, .required, .cardinality,
    .uniqueness, .values, .validation, .externalData, .history, .derived, .spatialIndex, .archive,
    .against, .verification,
  ]

  /// All checks, including ``own``.
  package static let withOwn = allCases + [.own]
}

/// The subjects of the checks, in words.
extension CheckName {
  /// The subject of the check, as a clause without a capital and full stop, for lists of checks.
  public var subject: String {
    switch self {
    case .sqlite: "the file: header, pages and write-ahead log; stores only"
    case .metadata: "the store metadata: a single row, a UUID, a readable property list"
    case .versionHashes:
      "the version hashes of the entities, their digest, and the model's checksum"
    case .modelCache: "the store's own copy of its model"
    case .entityNumbers: "the numbers, names and superentities of the entities"
    case .schema: "a table for every entity and a column for every property of the model"
    case .model: "whether the store's model is the given one"
    case .counters: "the primary key counters"
    case .entities: "the primary key and the entity of every object"
    case .versions: "the version counter of every object, compared with the persistent history"
    case .references: "to-one relationships, and to-many relationships without an inverse"
    case .pairs: "many-to-many relationships"
    case .inverses: "both ends of one-to-one relationships"
    case .order: "the positions in ordered relationships"
    case .required: "required attributes and relationships"
    case .cardinality: "the minimum and maximum counts of to-many relationships"
    case .uniqueness: "uniqueness constraints"
    case .values: "whether every value matches the type of its attribute"
    case .validation: "the validations of the model, if they can be evaluated"
    case .externalData: "the files of external binary data: missing, empty, shared or orphaned"
    case .history: "persistent history: its transactions, changes and strings"
    case .derived: "derived attributes, if their expression can be evaluated"
    case .spatialIndex: "spatial indexes, compared with their objects"
    case .archive: "the structure of an archive: entries, index, digests and counts; archives only"
    case .against: "changes since an older state, if one is given"
    case .verification: "the verification itself; it always runs"
    case .own: "checks that an app adds; the command has none"
    }
  }
}
