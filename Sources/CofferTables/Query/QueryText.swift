internal import CoreDataStore

/// Looks at the text of a statement.
public enum QueryText {
  /// The words with which a statement that only reads begins.
  static let reading: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  /// Whether a text ends with a complete statement, that is with a semicolon outside of quotes and comments.
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
