public import CoreDataModel
internal import CoreDataStore

/// The options for importing tables.
public struct TableImportOptions: Sendable, Equatable {
  /// What happens to objects with the same key.
  public enum DuplicatePolicy: String, Sendable, CaseIterable {
    /// Nothing is imported.
    case error
    /// The first object is kept; what refers to the others refers to it.
    case first
    /// The last object is kept; what refers to the others refers to it.
    case last
    /// The first object is kept, with the last value of each property; what refers to the others refers
    /// to it.
    case merge
  }

  /// The model of the store: a model file, a source, a folder of versions, a store or an archive.
  public var model: String
  /// The version of the model if it has several; nil for the current one.
  public var modelVersion: String?
  /// The files of entities that are not named after them, by the names of the entities; `-` is standard
  /// input.
  public var files: [ExactString: String] = [:]
  /// The keys by which tables refer to the objects of entities, by the names of the entities; objects of
  /// other entities are referred to by primary keys.
  ///
  /// A key is an attribute, an element of a composite attribute (`place.city`), or a column of the tables
  /// that is no property.
  public var keyNames: [ExactString: String] = [:]
  /// What happens to objects with the same key: one that the options name, or one of a uniqueness
  /// constraint.
  public var duplicatePolicy = DuplicatePolicy.error
  /// The form of dates; nil for ISO 8601.
  public var dateFormat: TableDateFormat?
  /// Whether standard input is lines of JSON, not comma-separated values.
  public var readsLinesOfJSON = false
  /// Whether an existing store is replaced.
  public var overwriting = false
  /// How archives are read.
  public var archiveAccess = ArchiveAccess()

  /// Creates options for a model.
  public init(model: String, modelVersion: String? = nil) {
    self.model = model
    self.modelVersion = modelVersion
  }
}

/// The result of importing tables.
public struct TableImportSummary: Sendable, Equatable {
  /// A table and its number of records.
  public struct Table: Sendable, Equatable {
    /// The path of the file, from the folder of the tables; with the name of the table in a database.
    public var name: String
    /// The entity.
    public var entityName: String
    /// The relationship, of a table of pairs; nil for objects.
    public var relationshipName: String?
    /// The number of records.
    public var count: Int
  }

  /// The tables in the order in which they were read.
  public var tables: [Table]
  /// The number of external files.
  public var externalFileCount: Int
  /// The properties of the new store.
  public var store: CreationSummary
  /// The warnings of a verification, a limited number of each kind.
  public var findings: [Finding]

  /// The number of objects.
  public var objectCount: Int {
    tables.reduce(0) { $0 + ($1.relationshipName == nil ? $1.count : 0) }
  }
  /// The number of pairs in tables of their own.
  public var pairCount: Int {
    tables.reduce(0) { $0 + ($1.relationshipName == nil ? 0 : $1.count) }
  }
}
