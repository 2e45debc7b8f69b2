/// The differences of one table beside the objects: persistent history, CloudKit mirroring, tables
/// that the model does not know.
public struct RowDifferences: Sendable, Hashable {
  /// What the table holds.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// Persistent history.
    case history
    /// CloudKit mirroring.
    case cloudKit = "cloudkit"
    /// Something else of the framework's.
    case system
    /// What the model does not explain.
    case unknown
  }

  /// What the table holds.
  public var subject: Subject
  /// The name of the table.
  public var tableName: String
  /// How many rows only the second source has.
  public var added: Int
  /// How many rows only the first source has.
  public var removed: Int
  /// How many rows both have, and not the same.
  public var changed: Int
}
