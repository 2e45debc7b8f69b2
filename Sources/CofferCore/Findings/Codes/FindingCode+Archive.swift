/// The codes of findings about archives.
extension FindingCode {
  /// The content of an entry does not match its digest in the index.
  public static let archiveDigestMismatch = FindingCode(
    text: "archive-digest-mismatch", severity: .error, check: .archive,
    meaning: "the content of an entry does not match its digest in the index",
    cause: """
      The archive was changed after it was written: by a failing disk, a bad transfer, or by hand.
      """,
    effect: "The app notices nothing, but the restored data may differ from the original.",
    remedy: """
      Get another copy of the archive, or make a new one. If there is none, import the archive and \
      compare the result with what you know.
      """,
    fix: .none(
      """
      Decide whether to trust the changed content: nothing in the archive shows the original \
      content.
      """))
  /// The root digest does not match the entries.
  public static let archiveRootDigestMismatch = FindingCode(
    text: "archive-root-digest-mismatch", severity: .error, check: .archive,
    meaning: "the root digest does not match the entries",
    cause: "The index was changed after it was written.",
    effect: "None.",
    remedy: """
      Compare the digest with the one that the export printed, and get another copy of the \
      archive.
      """,
    fix: .none(
      "Decide whether to trust this copy: a new digest would only hide that it was changed."))
  /// The content digest does not match the entries.
  public static let archiveContentDigestMismatch = FindingCode(
    text: "archive-content-digest-mismatch", severity: .error, check: .archive,
    meaning: "the content digest does not match the entries",
    cause: "The index was changed after it was written.",
    effect: """
      None for the data; but comparing content digests would take the archive for one of other \
      data. An import refuses such an archive.
      """,
    remedy: """
      Compare the digests with those that the export printed, and get another copy of the archive.
      """,
    fix: .none(
      "Decide whether to trust this copy: a new digest would only hide that it was changed."))
  /// A part ends elsewhere than the rule of the format says.
  public static let archiveUnusualParts = FindingCode(
    text: "archive-unusual-parts", severity: .info, check: .archive,
    meaning: "a part does not end where the rule of the format says",
    cause: "Another program wrote the archive, or lines were moved, added or removed.",
    effect: """
      None for the data. The content digest of this archive differs from the digest of other \
      archives of the same data, so do not compare them by it.
      """,
    remedy: """
      Import the archive and export it again: that gives parts that end by the rule, and a digest \
      to compare.
      """,
    fix: .lossless("Import the archive and export it again."))
  /// The index and the archive disagree about an entry.
  public static let archiveIndexMismatch = FindingCode(
    text: "archive-index-mismatch", severity: .error, check: .archive,
    meaning: "the index and the archive disagree about an entry",
    cause:
      "The archive or its index was damaged, or entries were edited without updating the index.",
    effect: "None; an import refuses such an archive.",
    remedy:
      "Get another copy of the archive. You can still unpack the entries of this one with tar.",
    fix: .none(
      "Decide whether the entry or the index is right; another copy of the archive shows it."))
  /// An entry does not contain the objects that the index lists.
  public static let archiveCountMismatch = FindingCode(
    text: "archive-count-mismatch", severity: .error, check: .archive,
    meaning: "an entry does not contain the objects that the index lists",
    cause: "Lines were added to or removed from the entry, or the index was changed.",
    effect: "After a restore, objects may be missing, or there may be too many.",
    remedy:
      "Get another copy of the archive. Compare the counts with those that the export printed.",
    fix: .none(
      "Decide whether the lines or the index are right; another copy of the archive shows it."),
    consequences: ["dangling-pair", "dangling-relationship"])
  /// An entry is missing.
  public static let archiveMissingEntry = FindingCode(
    text: "archive-missing-entry", severity: .error, check: .archive,
    meaning: "an entry is missing",
    cause: "The entry was removed, or the archive was assembled from parts of others.",
    effect: """
      After a restore, the content of the entry would be missing; an import refuses such an \
      archive.
      """,
    remedy: "Get another copy of the archive, or restore everything that is intact.",
    fix: .none("Decide whether to do without the entry."),
    tool: .rescue,
    consequences: ["missing-external-data", "dangling-pair", "dangling-relationship"])
  /// An entry occurs twice.
  public static let archiveDuplicateEntry = FindingCode(
    text: "archive-duplicate-entry", severity: .error, check: .archive,
    meaning: "an entry occurs twice",
    cause: "Another program appended the entry again.",
    effect: "None; an import refuses such an archive, because the two entries may differ.",
    remedy:
      "Get another copy of the archive, or unpack it and decide which of the two entries is right.",
    fix: .none("Decide which of the two entries is right; another copy of the archive shows it."))
  /// The index does not list an entry.
  public static let archiveUnlistedEntry = FindingCode(
    text: "archive-unlisted-entry", severity: .error, check: .archive,
    meaning: "the index does not list an entry",
    cause: "Another program added the entry.",
    effect: "None; an import refuses such an archive.",
    remedy: "Find out where the entry comes from, and get another copy of the archive.",
    fix: .none("Decide whether the entry belongs to the archive; nothing in the archive shows it."))
  /// Entries or lines are in the wrong order.
  public static let archiveWrongOrder = FindingCode(
    text: "archive-wrong-order", severity: .error, check: .archive,
    meaning: "entries or lines are in the wrong order",
    cause:
      "Another program assembled the archive without keeping the order, or the archive was edited.",
    effect: "None: all objects are there.",
    remedy: "Import the archive and export it again.",
    fix: .lossless("Import the archive and export it again."))
  /// A line is not valid for its table.
  public static let archiveInvalidLine = FindingCode(
    text: "archive-invalid-line", severity: .error, check: .archive,
    meaning: "a line is not valid for its table",
    cause: "The line was edited, or was damaged before its digest was computed.",
    effect: """
      After a restore, the object of the line would be missing; an import refuses such an archive.
      """,
    remedy: """
      Get another copy of the archive, repair the line by hand (the detail says where it is), or \
      restore everything that is intact.
      """,
    fix: .none("Decide what the line was to say, or do without it."),
    tool: .rescue,
    consequences: ["archive-count-mismatch", "dangling-pair", "dangling-relationship"])
  /// The primary key occurs twice.
  public static let duplicateObject = FindingCode(
    text: "duplicate-object", severity: .error, check: .archive,
    meaning: "the primary key occurs twice",
    cause: "Lines were copied by hand or by another program; a store cannot contain such rows.",
    effect: "One of the two objects would be lost; an import refuses such an archive.",
    remedy: "Get another copy of the archive, or remove one of the lines.",
    fix: .none("Decide which of the two lines is right; another copy of the archive shows it."))

  static let archiveCodes: [FindingCode] = [
    .archiveDigestMismatch, .archiveRootDigestMismatch, .archiveContentDigestMismatch,
    .archiveIndexMismatch, .archiveCountMismatch, .archiveMissingEntry, .archiveDuplicateEntry,
    .archiveUnlistedEntry, .archiveWrongOrder, .archiveUnusualParts, .archiveInvalidLine,
    .duplicateObject,
  ]
}
