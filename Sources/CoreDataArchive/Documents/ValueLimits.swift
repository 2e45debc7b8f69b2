/// The bounds of single values in an archive.
package enum ValueLimits {
  /// The most bytes of a text that is an entry of its own.
  ///
  /// It has to fit in memory; the bound is SQLite's own for a value
  /// (<https://sqlite.org/limits.html>).
  package static let textSize = 1_000_000_000
}
