/// A name of the schema as SQLite compares it: ASCII letters match in either case, all other bytes
/// exactly.
///
/// Swift's own text comparison would take differently composed accents for equal, which are
/// different names to SQLite.
package struct SchemaName: Sendable, Hashable {
  /// The bytes with ASCII capitals turned to small letters.
  private let folded: [UInt8]

  /// The comparable form of a name.
  package init(_ name: String) {
    folded = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// A name as an SQL identifier: in double quotes, those inside doubled.
///
/// Source: <https://sqlite.org/lang_keywords.html>.
package func quotedIdentifier(_ name: String) -> String {
  var quoted = "\""
  for scalar in name.unicodeScalars {
    if scalar == "\"" { quoted.unicodeScalars.append("\"") }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}
