/// The codes of findings about losses in the export of a damaged store.
extension FindingCode {
  /// Data could not be read and is not in the archive.
  public static let lostRows = FindingCode(
    text: "lost-rows", severity: .error, check: .sqlite,
    meaning: "data could not be read and is not in the archive",
    cause: """
      A page that contained these rows is damaged or missing. Only an export that salvages \
      continues in this case. If an index of the table was readable, the finding names each lost \
      row; otherwise it gives a range in which rows may be missing.
      """,
    effect: """
      In the damaged store, the app fails with SQLite error 11 when it reaches the page. A store \
      restored from the archive lacks the objects, and references to them dangle.
      """,
    remedy: """
      Look for the objects in an older backup. A rescue searches pages that no table refers to any \
      more, too; the objects that it finds there may be old or deleted.
      """,
    fix: .none("The rows are lost. Decide whether to look for them in backups."),
    tool: .rescue,
    consequences: ["dangling-relationship", "dangling-pair", "lost-table"])
  /// The table contains rows that cannot belong to it; they are not in the archive.
  public static let misplacedRows = FindingCode(
    text: "misplaced-rows", severity: .warning, check: .sqlite,
    meaning: "the table contains rows that cannot belong to it; they are not in the archive",
    cause: """
      A page of another table was written in the place of one of this table, or a damaged page \
      leads to it. The numbers of entities, the storage classes of values and the indexes of join \
      tables show this.
      """,
    effect: "The rows that were there before are lost, unless an index has them.",
    remedy: "Look for the lost rows in an older backup.",
    fix: .none("Nothing shows which rows were there before."),
    consequences: ["lost-rows", "dangling-relationship", "dangling-pair"])
  /// The value could not be read; the object is in the archive without it.
  public static let lostValue = FindingCode(
    text: "lost-value", severity: .error, check: .sqlite,
    meaning: "the value could not be read; the object is in the archive without it",
    cause: """
      A page that contains only part of this value is damaged: long text and data have pages of \
      their own.
      """,
    effect: "In a store restored from the archive, the property has no value.",
    remedy: "Look for the value in an older backup, and set it again in the app.",
    fix: .none(
      "The value is lost. Decide whether to look for it in backups, or which value to set."))
  /// No row of the table could be read.
  public static let lostTable = FindingCode(
    text: "lost-table", severity: .error, check: .sqlite,
    meaning: "no row of the table could be read",
    cause: "The first page of the table is damaged, so its rows cannot be found.",
    effect: """
      A store restored from the archive has the table without rows. Without store metadata or \
      entity numbers, Core Data does not open it.
      """,
    remedy: "Restore an older backup, or search all pages for the rows.",
    fix: .none("The rows are lost. Decide whether to look for them in backups."),
    tool: .rescue,
    consequences: ["lost-rows", "dangling-relationship", "dangling-pair"])
  /// A file of external binary data could not be read and is not in the archive.
  public static let lostExternalData = FindingCode(
    text: "lost-external-data", severity: .error, check: .sqlite,
    meaning: "a file of external binary data could not be read and is not in the archive",
    cause: "A damaged disk or missing permissions; the detail is the system's own message.",
    effect: "The app gets nil for the attribute, or fails when it reads it.",
    remedy:
      "If permissions are missing, grant them and export again. Otherwise look in older backups.",
    fix: .none(
      "The content is lost unless the file can be read again. Decide whether to look in backups."),
    consequences: ["missing-external-data"])
  /// The latest changes are missing because the write-ahead log is too short or damaged.
  public static let lostTransactions = FindingCode(
    text: "lost-transactions", severity: .error, check: .sqlite,
    meaning: "the latest changes are missing because the write-ahead log is too short or damaged",
    cause: """
      The `-wal` was cut short or damaged, or belongs to another store, or the store was copied \
      without it.
      """,
    effect: "The archive contains the store as it was before these changes.",
    remedy:
      "Look for the `-wal` where the store comes from, put it next to the store, and export again.",
    fix: .none("The changes are lost unless the `-wal` is found. Decide whether to look for it."))
  /// Part of the list of tables could not be read, so entire tables may be missing.
  public static let lostSchema = FindingCode(
    text: "lost-schema", severity: .error, check: .sqlite,
    meaning: "part of the list of tables could not be read, so entire tables may be missing",
    cause: "A page of the database's schema is damaged or missing.",
    effect: """
      A store restored from the archive lacks tables, indexes or triggers. If the table of an \
      entity is among them, Core Data does not open it.
      """,
    remedy: """
      Restore an older backup, or rescue the store: if the model describes the rows of a table, the \
      rescue finds the table by its rows.
      """,
    fix: .none("The statements are lost. Decide whether to look for the tables in backups."),
    tool: .rescueWithModel,
    consequences: ["lost-table"])
  /// The archive was made from a damaged store and is incomplete.
  public static let salvagedArchive = FindingCode(
    text: "salvaged-archive", severity: .warning, check: .archive,
    meaning: "the archive was made from a damaged store and is incomplete",
    cause: "It was salvaged from a damaged store. Its entry `salvage.json` lists what was lost.",
    effect: "A store restored from it lacks the same data.",
    remedy: "Keep older backups: they may contain what was lost.",
    fix: .none("The data is lost. Decide whether to look for it in backups."),
    tool: .inspection,
    consequences: ["dangling-relationship", "dangling-pair", "missing-external-data"])

  static let salvagedStoreCodes: [FindingCode] = [
    .lostRows, .misplacedRows, .lostValue, .lostTable, .lostExternalData, .lostTransactions,
    .lostSchema,
    .salvagedArchive,
  ]
}
