/// The codes of findings about archives.
extension FindingCode {
  /// The content of an entry does not have the digest of the index.
  public static let archiveDigestMismatch = FindingCode(
    text: "archive-digest-mismatch", severity: .error, check: .archive,
    meaning: "the content of an entry does not have the digest of the index",
    cause:
      "The archive was changed after it was written: by a failing disk, a bad transfer, or by hand.",
    effect: "None that it could notice: what comes back may not be what went in.",
    remedy:
      "Fetch another copy of the archive, or make a new one; where there is none, import it and compare what came back with what you know."
  )
  /// The root digest is not that of the entries.
  public static let archiveRootDigestMismatch = FindingCode(
    text: "archive-root-digest-mismatch", severity: .error, check: .archive,
    meaning: "the root digest is not that of the entries",
    cause: "The index was changed after it was written.",
    effect: "None.",
    remedy:
      "Compare the digest with the one that the export printed, and fetch another copy of the archive."
  )
  /// The index says something else about an entry than the archive.
  public static let archiveIndexMismatch = FindingCode(
    text: "archive-index-mismatch", severity: .error, check: .archive,
    meaning: "the index says something else about an entry than the archive",
    cause:
      "The index or the archive around it was changed: entries were edited without it, or it was damaged.",
    effect: "None; an import refuses such an archive.",
    remedy: "Fetch another copy of the archive; unpacking it with tar still gives its entries.")
  /// An entry does not hold the objects that the index says.
  public static let archiveCountMismatch = FindingCode(
    text: "archive-count-mismatch", severity: .error, check: .archive,
    meaning: "an entry does not hold the objects that the index says",
    cause: "Lines were added to the entry or removed from it, or the index was changed.",
    effect: "Objects may be missing or surplus after a restore.",
    remedy:
      "Fetch another copy of the archive; compare the counts with those that the export printed.",
    consequences: ["dangling-pair", "dangling-relationship"])
  /// An entry is missing.
  public static let archiveMissingEntry = FindingCode(
    text: "archive-missing-entry", severity: .error, check: .archive,
    meaning: "an entry is missing",
    cause: "The entry was removed, or the archive was put together from parts of others.",
    effect: "What it held is missing after a restore; an import refuses such an archive.",
    remedy: "Fetch another copy of the archive.",
    consequences: ["missing-external-data", "dangling-pair", "dangling-relationship"])
  /// An entry is there twice.
  public static let archiveDuplicateEntry = FindingCode(
    text: "archive-duplicate-entry", severity: .error, check: .archive,
    meaning: "an entry is there twice",
    cause: "The entry was appended once more by another program.",
    effect: "None; an import refuses such an archive, since the two need not agree.",
    remedy: "Fetch another copy of the archive, or unpack it and decide which of the two is right.")
  /// The index does not list an entry.
  public static let archiveUnlistedEntry = FindingCode(
    text: "archive-unlisted-entry", severity: .error, check: .archive,
    meaning: "the index does not list an entry",
    cause: "The entry was added by another program.",
    effect: "None; an import refuses such an archive.",
    remedy: "Find out where the entry comes from; fetch another copy of the archive.")
  /// Entries or lines do not stand in their order.
  public static let archiveWrongOrder = FindingCode(
    text: "archive-wrong-order", severity: .error, check: .archive,
    meaning: "entries or lines do not stand in their order",
    cause:
      "The archive was put together by another program that did not keep the order, or was edited.",
    effect: "None: the objects are there.",
    remedy: "Restore it and export it anew.")
  /// A line is not what a line of this table can be.
  public static let archiveInvalidLine = FindingCode(
    text: "archive-invalid-line", severity: .error, check: .archive,
    meaning: "a line is not what a line of this table can be",
    cause: "The line was edited, or damaged before the digest was computed.",
    effect: "The object of the line is missing after a restore; an import refuses such an archive.",
    remedy:
      "Fetch another copy of the archive, or mend the line by hand: the detail names its place.",
    consequences: ["archive-count-mismatch", "dangling-pair", "dangling-relationship"])
  /// The primary key occurs twice.
  public static let duplicateObject = FindingCode(
    text: "duplicate-object", severity: .error, check: .archive,
    meaning: "the primary key occurs twice",
    cause: "Lines were copied by hand or by another program; a store cannot hold such rows.",
    effect: "One of the two objects is lost; an import refuses such an archive.",
    remedy: "Fetch another copy of the archive, or remove one of the lines.")

  static let archiveCodes: [FindingCode] = [
    .archiveDigestMismatch, .archiveRootDigestMismatch, .archiveIndexMismatch,
    .archiveCountMismatch, .archiveMissingEntry, .archiveDuplicateEntry, .archiveUnlistedEntry,
    .archiveWrongOrder, .archiveInvalidLine, .duplicateObject,
  ]
}
