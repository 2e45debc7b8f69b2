/// The codes of findings about archives whose intact parts an import restored.
extension FindingCode {
  /// An entry of the archive is lost.
  public static let lostEntry = FindingCode(
    text: "lost-entry", severity: .error, check: .archive,
    meaning: "an entry of the archive is lost",
    cause: """
      The archive is damaged at this place or ends before it: a failing disk, a bad transfer, or \
      an interrupted copy.
      """,
    effect: """
      The store lacks the content of the entry. The detail names the entry and, if the index is \
      readable, the number of objects of each entity and their range of keys.
      """,
    remedy: """
      Look for another copy of the archive. Otherwise verify the store: references to lost objects \
      are dangling.
      """,
    fix: .none("The content of the entry is lost. Decide whether to look for another copy."),
    consequences: [
      "lost-entry-value", "missing-external-data", "dangling-relationship", "dangling-pair",
      "inverse-missing", "rebuilt-table",
    ])
  /// The index of the archive is lost, so other losses may be unknown.
  public static let lostIndex = FindingCode(
    text: "lost-index", severity: .error, check: .archive,
    meaning: "the index of the archive is lost, so other losses may be unknown",
    cause: "The archive is damaged at its end, or was not written or copied completely.",
    effect: """
      The store has every intact object. How many there were is unknown: entire tables after the \
      last entry may be missing.
      """,
    remedy: """
      Compare the counts with those that the export printed, and look for another copy of the \
      archive.
      """,
    fix: .none("What is missing is unknown. Decide whether to look for another copy."),
    consequences: [
      "lost-entry", "missing-external-data", "dangling-relationship", "dangling-pair",
      "rebuilt-table",
    ])
  /// A line of the archive is not valid for its table, or contradicts others.
  public static let lostLine = FindingCode(
    text: "lost-line", severity: .error, check: .archive,
    meaning: "a line of the archive is not valid for its table, or contradicts others",
    cause: "The line was edited, or was damaged before its digest was computed.",
    effect: "The store lacks the row of the line, and has all other rows of the entry.",
    remedy: "Repair the line by hand (the detail says where it is) and import again.",
    fix: .none(
      "The content of the line is lost. Decide whether to correct it by hand and import again."),
    consequences: ["dangling-relationship", "dangling-pair", "inverse-missing"])
  /// The value is lost with the entry that contained it.
  public static let lostEntryValue = FindingCode(
    text: "lost-entry-value", severity: .error, check: .archive,
    meaning: "the value is lost with the entry that contained it",
    cause: "Large values are in entries of their own, and this entry is damaged or missing.",
    effect: "The object is in the store, but the property has no value.",
    remedy: "Set the property again in the app, or look for another copy of the archive.",
    fix: .none(
      "The value is lost. Decide whether to look for another copy, or which value to set."))
  /// A document of the archive is lost, and the store was restored without it.
  public static let lostDocument = FindingCode(
    text: "lost-document", severity: .error, check: .archive,
    meaning: "a document of the archive is lost, and the store was restored without it",
    cause: "The archive is damaged at its beginning.",
    effect: """
      The objects are restored. Without the model, references could not be checked; without the \
      manifest, the store may have another UUID.
      """,
    remedy: "Verify the store. If it contains no model, pass one.",
    fix: .none("The content of the document is lost. Decide whether to look for another copy."),
    consequences: ["lost-entry", "rebuilt-table"])
  /// A table that Core Data needs to manage the store was lost and rebuilt.
  public static let rebuiltTable = FindingCode(
    text: "rebuilt-table", severity: .warning, check: .archive,
    meaning: "a table that Core Data needs to manage the store was lost and rebuilt",
    cause: "The entry of the table is damaged or missing.",
    effect: """
      The app opens the store. Data that only this table contained is gone: the app's own keys in \
      the metadata, or counters above the highest key.
      """,
    remedy: "Verify the store, and open it with a copy of the app first.",
    fix: .none(
      """
      Everything that can be rebuilt was rebuilt. Decide whether to look for another copy that has \
      the rest.
      """))
  /// The archive is damaged, but no data is lost.
  public static let damageWithoutLoss = FindingCode(
    text: "damage-without-loss", severity: .warning, check: .archive,
    meaning: "the archive is damaged, but no data is lost",
    cause: """
      Bytes were changed, added or removed between entries, in the footer, or in a second copy of \
      an entry.
      """,
    effect: "None: every entry in the index is intact.",
    remedy: "Export the restored store, and keep that archive instead of this one.",
    fix: .lossless("Export the restored store, and keep that archive instead."))

  static let salvagedArchiveCodes: [FindingCode] = [
    .lostEntry, .lostIndex, .lostLine, .lostEntryValue, .lostDocument, .rebuiltTable,
    .damageWithoutLoss,
  ]
}
