internal import CoreDataStore

/// A table of a store as queries see it: the objects of an entity with its subentities, or the pairs of
/// a many-to-many relationship.
package struct QueryTable: Sendable, Equatable {
  /// A column.
  package struct Column: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The type in SQL, such as `TEXT`; empty for values of any type.
    package var type: String
  }

  /// The name: `Person`, `Person.tags`.
  package var name: String
  /// The columns, the primary key first.
  package var columns: [Column]
}

/// A value in the result of a query.
package enum QueryValue: Sendable, Equatable {
  case none
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text; invalid UTF-8 is replaced.
  case text(String)
  case data([UInt8])
}

/// The limits of a query.
package struct QueryLimits: Sendable, Equatable {
  /// The processor time in seconds; nil for any.
  ///
  /// SQLite stops only between steps, and a single call of a function, such as `instr` of two values of
  /// many megabytes, is one step. Run untrusted queries in a process that you can end.
  package var seconds: Double?
  /// The number of rows after which the query ends; nil for all.
  package var rows: Int?

  /// Creates limits; by default there are none.
  package init(seconds: Double? = nil, rows: Int? = nil) {
    self.seconds = seconds
    self.rows = rows
  }
}

/// Examines the text of a statement.
package enum QueryText {
  /// The first words of statements that only read.
  static let reading: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  /// Whether a text ends with a complete statement, that is, with a semicolon outside of quotes and
  /// comments.
  package static func isComplete(_ text: String) -> Bool { SQLiteDatabase.isComplete(text) }

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
