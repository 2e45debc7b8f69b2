/// What each check is for, in words.
extension CheckName {
  /// What the check looks at: a clause without capital and full stop, for lists of the checks.
  public var subject: String {
    switch self {
    case .sqlite: "the file: its header, its pages, its write-ahead log; stores only"
    case .metadata: "the store metadata: one row, a UUID, a property list that can be read"
    case .versionHashes: "the version hashes of the entities, their digest, the model's checksum"
    case .modelCache: "the store's own copy of its model"
    case .entityNumbers: "the numbers of the entities, their names and superentities"
    case .schema: "a table for every entity, a place for every property of the model"
    case .model: "whether the store's model is a given one"
    case .counters: "the counters from which primary keys are taken"
    case .entities: "the primary key and the entity of every object"
    case .versions: "the version counter of every object, also against the persistent history"
    case .references: "to-one relationships, and to-many relationships without an inverse"
    case .pairs: "many-to-many relationships"
    case .inverses: "both ends of one-to-one relationships"
    case .order: "the positions in ordered relationships"
    case .required: "attributes and relationships that must have a value"
    case .cardinality: "the least and the greatest count of to-many relationships"
    case .uniqueness: "uniqueness constraints"
    case .values: "whether every value fits the type of its attribute"
    case .validation: "the validations of the model, where they can be evaluated"
    case .externalData: "the files of external binary data: missing, empty, shared, left over"
    case .history: "persistent history: its transactions, changes and strings"
    case .derived: "derived attributes whose expression can be evaluated"
    case .spatialIndex: "spatial indexes against the objects they are made of"
    case .archive: "what holds an archive together: entries, index, digests, counts; archives only"
    case .against: "what changed since an older state, when one is given"
    case .verification: "the verification itself; it cannot be left out"
    case .own: "what an app adds; the command has none"
    }
  }
}
