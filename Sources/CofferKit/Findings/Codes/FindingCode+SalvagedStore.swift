/// The codes of findings about what was lost when a damaged store was exported.
extension FindingCode {
  /// Rows could not be read and are not in the archive.
  public static let lostRows = FindingCode(
    text: "lost-rows", severity: .error, check: .sqlite,
    meaning: "it could not be read and is not in the archive",
    cause:
      "A page of the store's file is damaged or missing, and this row stood on it. Only an export "
      + "that salvages goes on then. The number of a lost row is exact where an index of its "
      + "table could be read; otherwise the finding says between which numbers rows may be missing.",
    effect:
      "The damaged store fails with SQLite error 11 when it gets there. A store that is "
      + "restored from the archive lacks the object, and what leads to it dangles.",
    remedy:
      "Look for the object in an older backup. `sqlite3 STORE .recover` on a copy looks for "
      + "rows in pages that no table leads to any more; what it finds there may be old or deleted.",
    consequences: ["dangling-relationship", "dangling-pair", "lost-table"])
  /// A value could not be read and is missing from its object.
  public static let lostValue = FindingCode(
    text: "lost-value", severity: .error, check: .sqlite,
    meaning: "the value could not be read; the object is in the archive without it",
    cause:
      "A page is damaged that holds nothing but a part of this value: long texts and data "
      + "stand on pages of their own.",
    effect: "A store that is restored from the archive has no value there.",
    remedy: "Look for the value in an older backup and set it again in the app.")
  /// No row of a table could be read.
  public static let lostTable = FindingCode(
    text: "lost-table", severity: .error, check: .sqlite,
    meaning: "nothing of the table could be read",
    cause: "The page with which the table begins is damaged, so that no way leads to its rows.",
    effect:
      "A store that is restored from the archive has the table, and no rows in it. Without the "
      + "store metadata or the entity numbers Core Data does not open it.",
    remedy:
      "Try `sqlite3 STORE .recover` on a copy, or restore an older backup.",
    consequences: ["lost-rows", "dangling-relationship", "dangling-pair"])
  /// Files of external binary data could not be read.
  public static let lostExternalData = FindingCode(
    text: "lost-external-data", severity: .error, check: .sqlite,
    meaning: "a file of external binary data could not be read and is not in the archive",
    cause: "A damaged disk, or missing permissions; the detail has the system's own words.",
    effect: "The app gets nil for the attribute, or fails when it reads it.",
    remedy:
      "If permissions are the reason, give them and export again; else look in older backups.",
    consequences: ["missing-external-data"])
  /// A part of the write-ahead log is missing.
  public static let lostTransactions = FindingCode(
    text: "lost-transactions", severity: .error, check: .sqlite,
    meaning: "the last changes are missing: the write-ahead log is too short",
    cause: "The `-wal` was cut off or replaced, or the store was copied without it.",
    effect: "The archive holds the store as it was before these changes.",
    remedy:
      "Look for the `-wal` where the store comes from, put it beside the store, and export again.")
  /// A part of the database's schema could not be read.
  public static let lostSchema = FindingCode(
    text: "lost-schema", severity: .error, check: .sqlite,
    meaning: "a part of the list of tables could not be read: tables may be missing as a whole",
    cause: "A page of the database's schema is damaged or missing.",
    effect:
      "A store that is restored from the archive lacks tables, indexes or triggers, and Core Data "
      + "does not open it where the table of an entity is among them.",
    remedy: "Try `sqlite3 STORE .recover` on a copy, or restore an older backup.",
    consequences: ["lost-table"])
  /// The archive was made from a damaged store and lacks something.
  public static let salvagedArchive = FindingCode(
    text: "salvaged-archive", severity: .warning, check: .archive,
    meaning: "the archive was made from a damaged store, and lacks what could not be read",
    cause:
      "It was salvaged from a damaged store. Its entry `salvage.json` lists what was lost; "
      + "`coffer inspect` shows the counts.",
    effect: "A store that is restored from it lacks the same.",
    remedy: "Keep older backups: what was lost may be in one of them.",
    consequences: ["dangling-relationship", "dangling-pair", "missing-external-data"])

  static let salvagedStoreCodes: [FindingCode] = [
    .lostRows, .lostValue, .lostTable, .lostExternalData, .lostTransactions, .lostSchema,
    .salvagedArchive,
  ]
}
