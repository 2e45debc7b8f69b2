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
  /// The numbers of the entities.
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
  /// Spatial indexes.
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
  static let withOwn = allCases + [.own]
}
