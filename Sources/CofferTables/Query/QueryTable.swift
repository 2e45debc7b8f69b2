internal import CoreDataStore

/// A table of a store as queries see it: the objects of an entity with its subentities, or the pairs of
/// a many-to-many relationship.
public struct QueryTable: Sendable, Equatable {
  /// A column.
  public struct Column: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The type in SQL, such as `TEXT`; empty for values of any type.
    public var type: String
  }

  /// The name: `Person`, `Person.tags`.
  public var name: String
  /// The columns, the primary key first.
  public var columns: [Column]
}

/// A value in the result of a query.
public enum QueryValue: Sendable, Equatable {
  /// No value.
  case none
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text; invalid UTF-8 is replaced.
  case text(String)
  /// Bytes.
  case data([UInt8])
}

/// What a query may take.
public struct QueryLimits: Sendable, Equatable {
  /// The processor time in seconds; nil for any.
  ///
  /// SQLite stops only between steps, and a single call of a function, such as `instr` of two values of
  /// many megabytes, is one step. Run untrusted queries in a process that you can end.
  public var seconds: Double?
  /// The number of rows after which the query ends; nil for all.
  public var rows: Int?

  /// Creates limits; by default there are none.
  public init(seconds: Double? = nil, rows: Int? = nil) {
    self.seconds = seconds
    self.rows = rows
  }
}

/// Examines the text of a statement.
public enum QueryText {
  /// The first words of statements that only read.
  static let reading: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  /// Whether a text ends with a complete statement, that is, with a semicolon outside of quotes and
  /// comments.
  public static func isComplete(_ text: String) -> Bool { SQLiteDatabase.isComplete(text) }

  /// The first word in upper case, after comments; empty if there is none.
  static func firstWord(of text: String) -> String {
    var rest = text[...].drop(while: \.isWhitespace)
    while true {
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
      } else {
        return rest.prefix(while: \.isLetter).uppercased()
      }
      rest = rest.drop(while: \.isWhitespace)
    }
  }
}
