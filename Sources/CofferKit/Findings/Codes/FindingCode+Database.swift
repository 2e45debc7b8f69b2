/// The codes of findings about the file and its pages.
extension FindingCode {
  /// SQLite finds damage in the pages of the file.
  public static let sqliteDamage = FindingCode(
    text: "sqlite-damage", severity: .error, check: .sqlite,
    meaning: "SQLite finds damage in the pages of the file",
    cause: "A disk or memory that failed; a store that was copied while an app wrote it; two "
      + "processes that wrote it with broken locks, as on some network folders.",
    effect: "The app fails with SQLite error 11, \"database disk image is malformed\", as soon as "
      + "it comes to the page, or shows wrong or missing objects.",
    remedy: "Restore an older backup. Without one, run `sqlite3 STORE .recover` on a copy, and "
      + "verify what comes out. The detail is SQLite's own message.",
    consequences: ["unreadable-table"])
  /// A table cannot be read to its end.
  public static let unreadableTable = FindingCode(
    text: "unreadable-table", severity: .error, check: .sqlite,
    meaning: "a table cannot be read to its end",
    cause: "The same as for damage in pages: a page of this table, or one on the way to it, is "
      + "damaged.",
    effect: "Every fetch of the entity fails with SQLite error 11.",
    remedy: "Restore an older backup. What can still be read was verified; references to the "
      + "objects that cannot be read are reported as dangling.",
    consequences: ["sqlite-damage", "dangling-pair", "dangling-relationship"])
  /// The write-ahead log has a part that cannot be applied.
  public static let damagedLog = FindingCode(
    text: "damaged-log", severity: .warning, check: .sqlite,
    meaning: "the write-ahead log has a part that cannot be applied",
    cause: "A `-wal` that was copied while an app wrote it, that belongs to another state of the "
      + "store, or that was damaged on its disk; a power failure.",
    effect: "The app sees the store as it was before the first transaction that cannot be "
      + "applied; later changes are gone without a word.",
    remedy: "If the `-wal` was copied, copy the store again with the app closed. Otherwise look "
      + "in the app, or with `coffer diff` against a backup, for what is missing.")

  static let databaseCodes: [FindingCode] = [
    .sqliteDamage, .unreadableTable, .damagedLog,
  ]
}
