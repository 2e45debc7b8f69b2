/// Something that could not be written as it is, or is missing, and how often.
public struct DataExportWarning: Sendable, Equatable {
  /// The kind of a warning.
  public enum Code: String, Sendable, CaseIterable {
    /// A text is not valid UTF-8: what is wrong in it became U+FFFD.
    case invalidText = "invalid-text"
    /// A value is of another kind than its attribute: it was written in the form of what it is.
    case unexpectedValue = "unexpected-value"
    /// A date that no text stands for, such as one after the year 9999: it was written as seconds
    /// since 2001.
    case unwritableDate = "unwritable-date"
    /// An infinite number: it was written as a text.
    case infiniteNumber = "infinite-number"
    /// An object is of no entity that the model has, or has no key: it was left out.
    case unknownEntity = "unknown-entity"
    /// A file of external binary data that an object refers to is not there.
    case missingFile = "missing-file"
    /// A foreign key leads to an object that is not there.
    case danglingReference = "dangling-reference"

    /// What it means, as a sentence.
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

    /// Whether something of the source, or that it refers to, is not in the output.
    var isLoss: Bool { self == .unknownEntity || self == .missingFile }
  }

  /// The kind.
  public var code: Code
  /// How often.
  public var count: Int
}
