/// A kind of value that could not be written exactly or is missing, with a count.
public struct DataExportWarning: Sendable, Equatable {
  /// The kinds of warnings.
  public enum Code: String, Sendable, CaseIterable {
    /// Text is not valid UTF-8; invalid bytes became U+FFFD.
    case invalidText = "invalid-text"
    /// A value does not have the type of its attribute and was written as it is.
    case unexpectedValue = "unexpected-value"
    /// A date without an ISO 8601 form, such as one after the year 9999, was written as seconds
    /// since 2001.
    case unwritableDate = "unwritable-date"
    /// An infinite number was written as text.
    case infiniteNumber = "infinite-number"
    /// An object that belongs to no entity of the model, or has no key, was left out.
    case unknownEntity = "unknown-entity"
    /// A file of external binary data that an object refers to does not exist.
    case missingFile = "missing-file"
    /// A foreign key leads to an object that does not exist.
    case danglingReference = "dangling-reference"

    /// The meaning, as a sentence.
    public var meaning: String {
      switch self {
      case .invalidText: "a text is not valid UTF-8, and what is wrong in it became U+FFFD"
      case .unexpectedValue:
        "a value is of another kind than its attribute, and was written as what it is"
      case .unwritableDate: "a date has no ISO 8601 form, and was written as seconds since 2001"
      case .infiniteNumber: "a number is infinite, and was written as a text"
      case .unknownEntity: "an object is of no known entity, and was left out"
      case .missingFile: "a file of external binary data is missing"
      case .danglingReference:
        "a foreign key leads to an object that is not there (PRAGMA foreign_key_check tells which)"
      }
    }

    /// Whether data of the source, or data that it refers to, is missing from the output.
    var isLoss: Bool { self == .unknownEntity || self == .missingFile }
  }

  /// The kind.
  public var code: Code
  /// The number of values.
  public var count: Int
}
