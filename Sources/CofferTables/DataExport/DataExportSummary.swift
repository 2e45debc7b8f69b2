/// The result of a data export.
public struct DataExportSummary: Sendable, Equatable {
  /// The folder with the files: that which was asked for, or the partition in it.
  public var folder: String
  /// The format.
  public var format: DataFormat
  /// The written parts, in the order of an archive's tables.
  public var parts: [DataFile]
  /// The number of files other than those of ``parts``: external binary data.
  public var externalFileCount: Int
  /// The number of entities excluded by the options.
  public var excludedEntityCount: Int
  /// The number of omitted tables other than those of objects: history, CloudKit mirroring, and
  /// tables that the model does not explain.
  public var otherTableCount: Int
  /// The number of omitted columns of objects that the model does not explain.
  public var otherColumnCount: Int
  /// Values that could not be written exactly or are missing; each kind once.
  public var warnings: [DataExportWarning]

  /// The number of objects.
  public var objectCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? $1.count : 0) }
  }

  /// The number of pairs of many-to-many relationships.
  public var pairCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? 0 : $1.count) }
  }

  /// The names of the files, each once, without those of external binary data.
  public var fileNames: [String] {
    var seen: Set<String> = []
    return parts.map(\.fileName).filter { seen.insert($0).inserted }
  }

  /// Whether something that the source contains or refers to is missing.
  public var isIncomplete: Bool { warnings.contains(where: \.code.isLoss) }
}

/// The written objects of an entity, or pairs of a relationship.
public struct DataFile: Sendable, Equatable {
  /// The name of the file in the folder.
  public var fileName: String
  /// The entity, or the entity of the relationship.
  public var entityName: String
  /// The many-to-many relationship; nil for objects.
  public var relationshipName: String?
  /// The number of objects or pairs.
  public var count: Int
}
