/// The codes of findings about archives of which an import restored what was whole.
extension FindingCode {
  /// An entry of the archive is lost.
  public static let lostEntry = FindingCode(
    text: "lost-entry", severity: .error, check: .archive,
    meaning: "an entry of the archive is lost",
    cause:
      "The archive is damaged at this place, or ends before it: a failing disk, a bad transfer, a copy that was broken off.",
    effect:
      "What the entry held is not in the store. The detail names the entry and, where the index could be read, how many objects of which entity it held, and from which key to which.",
    remedy:
      "Look for another copy of the archive. Otherwise verify the store: references to what is lost lead nowhere.",
    consequences: [
      "lost-entry-value", "missing-external-data", "dangling-relationship", "dangling-pair",
      "inverse-missing", "rebuilt-table",
    ])
  /// The index of the archive is lost.
  public static let lostIndex = FindingCode(
    text: "lost-index", severity: .error, check: .archive,
    meaning: "the archive's index is lost, so what else is lost cannot be told",
    cause: "The archive is damaged at its end, or was not written or copied to its end.",
    effect:
      "The store has every object that came whole. How many there were is not known: whole tables may be missing behind the last entry.",
    remedy:
      "Compare the counts with those that the export printed, and look for another copy of the archive.",
    consequences: [
      "lost-entry", "missing-external-data", "dangling-relationship", "dangling-pair",
      "rebuilt-table",
    ])
  /// A line of the archive cannot be read.
  public static let lostLine = FindingCode(
    text: "lost-line", severity: .error, check: .archive,
    meaning: "a line of the archive is not one of this table, or does not fit the others",
    cause: "The line was edited, or damaged before its digest was computed.",
    effect: "The row of the line is not in the store; all others of the entry are.",
    remedy: "Mend the line by hand: the detail names its place. Then import again.",
    consequences: ["dangling-relationship", "dangling-pair", "inverse-missing"])
  /// A value did not come with its object.
  public static let lostEntryValue = FindingCode(
    text: "lost-entry-value", severity: .error, check: .archive,
    meaning: "the value is lost with the entry that held it",
    cause: "Large values stand in entries of their own, and this one is damaged or missing.",
    effect: "The object is in the store, and the property has no value.",
    remedy: "Set the property again in the app, or look for another copy of the archive.")
  /// A document of the archive is lost.
  public static let lostDocument = FindingCode(
    text: "lost-document", severity: .error, check: .archive,
    meaning: "a document of the archive is lost, and the store was restored without it",
    cause: "The archive is damaged at its beginning.",
    effect:
      "The objects are there. Without the model references could not be checked, and without the manifest the store may have another UUID.",
    remedy: "Verify the store; give the model where the store has none of its own.",
    consequences: ["lost-entry", "rebuilt-table"])
  /// Administration of the store was made anew.
  public static let rebuiltTable = FindingCode(
    text: "rebuilt-table", severity: .warning, check: .archive,
    meaning: "a table of the store's administration was lost and made anew",
    cause: "The entry of the table is damaged or missing.",
    effect:
      "The app opens the store. What only that table held is gone: the app's own keys in the metadata, or counters above the highest key.",
    remedy: "Verify the store, and open it with a copy of the app first.")
  /// The archive is damaged where nothing of the store was.
  public static let damageWithoutLoss = FindingCode(
    text: "damage-without-loss", severity: .warning, check: .archive,
    meaning: "the archive is damaged at a place where nothing of the store is lost",
    cause:
      "Bytes were changed, added or removed between entries, in the footer, or in a second copy of an entry.",
    effect: "None: every entry that the index lists came whole.",
    remedy: "Export the restored store, and keep that archive instead of this one.")

  static let salvagedArchiveCodes: [FindingCode] = [
    .lostEntry, .lostIndex, .lostLine, .lostEntryValue, .lostDocument, .rebuiltTable,
    .damageWithoutLoss,
  ]
}
