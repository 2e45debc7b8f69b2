/// What was written in another shape.
public struct DataExportSummary: Sendable, Equatable {
  /// The shape.
  public var format: DataFormat
  /// What was written, in the order of the tables of an archive.
  public var parts: [DataFile]
  /// How many files were written beside those of ``parts``: external binary data.
  public var externalFileCount: Int
  /// How many entities were left out because of the options.
  public var excludedEntityCount: Int
  /// How many tables beside the objects were left out: history, CloudKit mirroring, what the model does
  /// not explain.
  public var otherTableCount: Int
  /// How many columns of objects were left out that the model does not explain.
  public var otherColumnCount: Int
  /// What could not be written as it is, or is missing; each kind once.
  public var warnings: [DataExportWarning]

  /// How many objects were written.
  public var objectCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? $1.count : 0) }
  }

  /// How many pairs of many-to-many relationships were written.
  public var pairCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? 0 : $1.count) }
  }

  /// The names of the files, each once, those of external binary data left out.
  public var fileNames: [String] {
    var seen: Set<String> = []
    return parts.map(\.fileName).filter { seen.insert($0).inserted }
  }

  /// Whether something is missing that the source has or refers to.
  public var isIncomplete: Bool { warnings.contains(where: \.code.isLoss) }
}

/// The objects of one entity, or the pairs of one relationship, as they were written.
public struct DataFile: Sendable, Equatable {
  /// The file, by its name in the folder.
  public var fileName: String
  /// The entity, or the one that the relationship belongs to.
  public var entityName: String
  /// The many-to-many relationship; nil for objects.
  public var relationshipName: String?
  /// How many objects or pairs.
  public var count: Int
}
