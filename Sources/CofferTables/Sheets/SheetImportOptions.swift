public import CofferCore
internal import CoreDataModel

/// The options for importing tables.
public struct SheetImportOptions: Sendable, Equatable {
  /// The model of the store: a model file, a source, a folder of versions, a store or an archive.
  public var model: String
  /// The version of the model if it has several; nil for the current one.
  public var modelVersion: String?
  /// The paths of models to merge with the model; empty for the model alone.
  public var otherModels: [String] = []
  /// The options for reading the tables.
  public var tables = SheetOptions()
  /// Whether an existing store is replaced.
  public var overwriting = false
  /// How archives are read.
  public var environment = WorkEnvironment()

  /// Creates options for a model.
  public init(model: String, modelVersion: String? = nil) {
    self.model = model
    self.modelVersion = modelVersion
  }
}

/// The result of importing tables.
public struct SheetImportSummary: Sendable, Equatable {
  /// A table and its number of records.
  package struct Table: Sendable, Equatable {
    /// The path of the file, from the folder of the tables; with the name of the table in a database.
    package var name: String
    /// The entity.
    package var entityName: Name
    /// The relationship, of a join table; nil for objects.
    package var relationshipName: Name?
    /// The number of records.
    package var count: Int
  }

  /// The tables in the order in which they were read.
  package var tables: [Table]
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
