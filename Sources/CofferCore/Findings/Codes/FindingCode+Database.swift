/// The codes of findings about the file and its pages.
extension FindingCode {
  /// SQLite found damage in the pages of the file.
  public static let sqliteDamage = FindingCode(
    text: "sqlite-damage", severity: .error, check: .sqlite,
    meaning: "SQLite found damage in the pages of the file",
    cause: """
      A failing disk or memory, a store that was copied while an app wrote to it, or two processes \
      that wrote with broken locks, as on some network folders.
      """,
    effect: """
      The app fails with SQLite error 11, "database disk image is malformed", as soon as it \
      reaches the page, or shows wrong or missing objects.
      """,
    remedy:
      "Restore an older backup, or rescue the readable parts. The detail is SQLite's own message.",
    fix: .lossy("A rescue writes a new store without the unreadable parts."),
    tool: .rescue,
    consequences: ["unreadable-table"])
  /// A table cannot be read to its end.
  public static let unreadableTable = FindingCode(
    text: "unreadable-table", severity: .error, check: .sqlite,
    meaning: "a table cannot be read to its end",
    cause: "A page of this table, or one on the way to it, is damaged.",
    effect: "Every fetch of the entity fails with SQLite error 11.",
    remedy: "Restore an older backup, or rescue the readable parts, which were verified.",
    fix: .lossy("A rescue writes a new store without the unreadable parts."),
    tool: .rescue,
    consequences: ["sqlite-damage", "follows-from-damage"])
  /// Findings may follow from rows that cannot be read.
  public static let followsFromDamage = FindingCode(
    text: "follows-from-damage", severity: .info, check: .sqlite,
    meaning: "findings may follow from rows that cannot be read",
    cause: """
      An object, pair or transaction that others lead to is on an unreadable page, or it was on \
      one and is really gone. Until the page is readable, the two cases look the same.
      """,
    effect: "The same as the effect of the damage itself.",
    remedy:
      "Repair the damage first, and verify the result: any remaining findings are separate defects.",
    fix: .none("Repair the damage first."))
  /// Part of the write-ahead log cannot be applied.
  public static let damagedLog = FindingCode(
    text: "damaged-log", severity: .warning, check: .sqlite,
    meaning: "part of the write-ahead log cannot be applied",
    cause: """
      The `-wal` was copied while an app wrote to it, belongs to another state of the store, or \
      was damaged on the disk or by a power failure.
      """,
    effect: """
      The app sees the store as it was before the first transaction that cannot be applied. Later \
      changes are silently lost.
      """,
    remedy: """
      If the `-wal` was copied, copy the store again with the app closed. Otherwise recover what is \
      readable, and compare that with a backup.
      """,
    fix: .none(
      "Decide which state is right: another copy of the `-wal` or an older backup has the rest."),
    tool: .rescue)

  static let databaseCodes: [FindingCode] = [
    .sqliteDamage, .unreadableTable, .followsFromDamage, .damagedLog,
  ]
}
