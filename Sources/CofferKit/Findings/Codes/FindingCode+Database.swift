/// The codes of findings about the file and its pages.
extension FindingCode {
  /// SQLite finds damage in the pages of the file.
  public static let sqliteDamage = FindingCode(
    text: "sqlite-damage", severity: .error, check: .sqlite,
    meaning: "SQLite finds damage in the pages of the file",
    cause: "",
    effect: "",
    remedy: "")
  /// A table cannot be read to its end.
  public static let unreadableTable = FindingCode(
    text: "unreadable-table", severity: .error, check: .sqlite,
    meaning: "a table cannot be read to its end",
    cause: "",
    effect: "",
    remedy: "")
  /// The write-ahead log has a part that cannot be applied.
  public static let damagedLog = FindingCode(
    text: "damaged-log", severity: .warning, check: .sqlite,
    meaning: "the write-ahead log has a part that cannot be applied",
    cause: "",
    effect: "",
    remedy: "")

  static let databaseCodes: [FindingCode] = [
    .sqliteDamage, .unreadableTable, .damagedLog,
  ]
}
