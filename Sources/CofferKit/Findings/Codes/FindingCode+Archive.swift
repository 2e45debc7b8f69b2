/// The codes of findings about archives.
extension FindingCode {
  /// The content of an entry does not have the digest of the index.
  public static let archiveDigestMismatch = FindingCode(
    text: "archive-digest-mismatch", severity: .error, check: .archive,
    meaning: "the content of an entry does not have the digest of the index",
    cause: "",
    effect: "",
    remedy: "")
  /// The root digest is not that of the entries.
  public static let archiveRootDigestMismatch = FindingCode(
    text: "archive-root-digest-mismatch", severity: .error, check: .archive,
    meaning: "the root digest is not that of the entries",
    cause: "",
    effect: "",
    remedy: "")
  /// The index says something else about an entry than the archive.
  public static let archiveIndexMismatch = FindingCode(
    text: "archive-index-mismatch", severity: .error, check: .archive,
    meaning: "the index says something else about an entry than the archive",
    cause: "",
    effect: "",
    remedy: "")
  /// An entry does not hold the objects that the index says.
  public static let archiveCountMismatch = FindingCode(
    text: "archive-count-mismatch", severity: .error, check: .archive,
    meaning: "an entry does not hold the objects that the index says",
    cause: "",
    effect: "",
    remedy: "")
  /// An entry is missing.
  public static let archiveMissingEntry = FindingCode(
    text: "archive-missing-entry", severity: .error, check: .archive,
    meaning: "an entry is missing",
    cause: "",
    effect: "",
    remedy: "")
  /// An entry is there twice.
  public static let archiveDuplicateEntry = FindingCode(
    text: "archive-duplicate-entry", severity: .error, check: .archive,
    meaning: "an entry is there twice",
    cause: "",
    effect: "",
    remedy: "")
  /// The index does not list an entry.
  public static let archiveUnlistedEntry = FindingCode(
    text: "archive-unlisted-entry", severity: .error, check: .archive,
    meaning: "the index does not list an entry",
    cause: "",
    effect: "",
    remedy: "")
  /// Entries or lines do not stand in their order.
  public static let archiveWrongOrder = FindingCode(
    text: "archive-wrong-order", severity: .error, check: .archive,
    meaning: "entries or lines do not stand in their order",
    cause: "",
    effect: "",
    remedy: "")
  /// A line is not what a line of this table can be.
  public static let archiveInvalidLine = FindingCode(
    text: "archive-invalid-line", severity: .error, check: .archive,
    meaning: "a line is not what a line of this table can be",
    cause: "",
    effect: "",
    remedy: "")
  /// The primary key occurs twice.
  public static let duplicateObject = FindingCode(
    text: "duplicate-object", severity: .error, check: .archive,
    meaning: "the primary key occurs twice",
    cause: "",
    effect: "",
    remedy: "")

  static let archiveCodes: [FindingCode] = [
    .archiveDigestMismatch, .archiveRootDigestMismatch, .archiveIndexMismatch,
    .archiveCountMismatch, .archiveMissingEntry, .archiveDuplicateEntry, .archiveUnlistedEntry,
    .archiveWrongOrder, .archiveInvalidLine, .duplicateObject,
  ]
}
