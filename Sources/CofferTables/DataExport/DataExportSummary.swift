package import CoreDataModel

/// The result of a data export.
public struct DataExportSummary: Sendable, Equatable {
  /// The folder with the files: the requested one, or the partition in it.
  public var folder: String
  /// The format.
  public var format: DataFormat
  /// The written parts, in the order of an archive's tables.
  package var parts: [DataFile]
  /// The number of external binary data files, in addition to the files of entities and relationships.
  public var externalFileCount: Int
  /// The number of entities excluded by the options.
  public var excludedEntityCount: Int
  /// The number of omitted tables without objects: history, CloudKit mirroring, and tables that the
  /// model does not explain.
  public var otherTableCount: Int
  /// The number of omitted columns of objects that the model does not explain.
  public var otherColumnCount: Int
  /// Values that could not be written exactly or are missing; each kind once.
  package var warnings: [DataExportWarning]

  /// The number of objects.
  public var objectCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? $1.count : 0) }
  }

  /// The number of pairs of many-to-many relationships.
  public var pairCount: Int {
    parts.reduce(0) { $0 + ($1.relationshipName == nil ? 0 : $1.count) }
  }

  /// The names of the files, each once, without external binary data.
  public var fileNames: [String] {
    var seen: Set<String> = []
    return parts.map(\.fileName).filter { seen.insert($0).inserted }
  }

  /// Whether something that the source contains or refers to is missing.
  public var isIncomplete: Bool { warnings.contains(where: \.code.isLoss) }
}

/// The written objects of an entity, or pairs of a relationship.
package struct DataFile: Sendable, Equatable {
  /// The name of the file in the folder.
  package var fileName: String
  /// The entity, or the entity of the relationship.
  package var entityName: Name
  /// The many-to-many relationship; nil for objects.
  package var relationshipName: Name?
  /// The number of objects or pairs.
  package var count: Int
}

/// A kind of value that could not be written exactly or is missing, with a count.
package struct DataExportWarning: Sendable, Equatable {
  /// The kinds of warnings.
  package enum Code: String, Sendable, CaseIterable {
    /// Text is not valid UTF-8; invalid bytes became U+FFFD.
    case invalidText = "invalid-text"
    /// A value does not have the type of its attribute and was written unchanged.
    case unexpectedValue = "unexpected-value"
    /// A date without an ISO 8601 form, such as one after the year 9999, was written as seconds
    /// since 2001.
    case unwritableDate = "unwritable-date"
    case infiniteNumber = "infinite-number"
    /// An object that belongs to no entity of the model, or has no key, was left out.
    case unknownEntity = "unknown-entity"
    /// A file of external binary data that an object refers to does not exist.
    case missingFile = "missing-file"
    /// A foreign key leads to an object that does not exist.
    case danglingReference = "dangling-reference"

    /// The meaning, as a sentence.
    package var meaning: String {
      switch self {
      case .invalidText: "a text is not valid UTF-8; invalid bytes were replaced with U+FFFD"
      case .unexpectedValue:
        "a value does not have the type of its attribute; it was written with its own type"
      case .unwritableDate:
        "a date cannot be written in ISO 8601; it was written as seconds since 2001"
      case .infiniteNumber: "a number is infinite; it was written as text"
      case .unknownEntity: "an object belongs to no known entity; it was left out"
      case .missingFile: "a file of external binary data is missing"
      case .danglingReference:
        "a foreign key refers to an object that does not exist (PRAGMA foreign_key_check lists them)"
      }
    }

    /// Whether data of the source, or data that it refers to, is missing from the output.
    var isLoss: Bool { self == .unknownEntity || self == .missingFile }
  }

  /// The kind.
  package var code: Code
  /// The number of values.
  package var count: Int
}
