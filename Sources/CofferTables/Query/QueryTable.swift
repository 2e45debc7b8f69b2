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

  /// Removes the first statement from a text, up to its semicolon outside of quotes and comments.
  ///
  /// - Returns: the statement; nil if it is not complete.
  package static func takeFirst(from text: inout String) -> String? {
    var tokens = SQLTokens(text)
    while let token = tokens.next() {
      guard token == ";" else { continue }
      let end = text.utf8.index(text.startIndex, offsetBy: tokens.position)
      defer { text = String(text[end...]) }
      return String(text[..<end])
    }
    return nil
  }

  /// Whether a text is only white space and complete comments, perhaps with a semicolon.
  package static func isBlank(_ text: String) -> Bool { ["", ";"].contains(beginning(of: text)) }

  /// The first word in upper case, after comments; empty if there is none.
  static func firstWord(of text: String) -> String {
    beginning(of: text).prefix(while: \.isLetter).uppercased()
  }

  /// The text after white space and complete comments.
  private static func beginning(of text: String) -> Substring {
    var rest = text[...].drop(while: \.isWhitespace)
    while true {
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*"), let end = rest.dropFirst(2).firstRange(of: "*/") {
        rest = rest[end.upperBound...]
      } else {
        return rest
      }
      rest = rest.drop(while: \.isWhitespace)
    }
  }
}
