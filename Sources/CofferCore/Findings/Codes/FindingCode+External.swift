/// The codes of findings about external binary data.
extension FindingCode {
  /// The file of the external binary data does not exist, or is behind a link.
  public static let missingExternalData = FindingCode(
    text: "missing-external-data", severity: .error, check: .externalData,
    meaning: "the file of the external binary data was not found",
    cause: """
      The store was copied without its hidden folder `.NAME_SUPPORT`, the folder or the file is a \
      symbolic link, which is not followed, a cleanup removed the file, \
      or the app deleted the object while the store was being read. In the last case, try again.
      """,
    effect: "The app gets nil for the attribute, or fails when it reads it.",
    remedy: """
      Find the folder where the store comes from and put it next to the store. If an archive lacks \
      the file, export the store again.
      """,
    fix: .lossy(
      "Set the attribute to nil, unless it is required. Look for the file in a backup first."
    ).automatic)
  /// A file of the store cannot be read.
  public static let unreadableExternalData = FindingCode(
    text: "unreadable-external-data", severity: .error, check: .externalData,
    meaning: "a file of external binary data cannot be read",
    cause: "Permission is missing: another user owns the file, or a copy changed its permissions.",
    effect: "The app fails when it reads the attribute. Export and backup fail, too.",
    remedy: "Give yourself permission to read the file, or run coffer as the user who owns it.",
    fix: .none("Decide who may read the file."))
  /// The file of the external binary data is empty.
  public static let emptyExternalData = FindingCode(
    text: "empty-external-data", severity: .error, check: .externalData,
    meaning: "the file of the external binary data is empty",
    cause: """
      A full disk or a crash while the file was written, or a copy or sync that created the file \
      without its content.
      """,
    effect: """
      The app gets no bytes for the attribute, and may not be able to handle that, for example in \
      an image.
      """,
    remedy: "Look for the file in older backups, and put it back under the same name.",
    fix: .lossy(
      "Set the attribute to nil, unless it is required. Look for the file in a backup first."
    ).automatic)
  /// Several values refer to the same file of external binary data.
  public static let sharedExternalData = FindingCode(
    text: "shared-external-data", severity: .error, check: .externalData,
    meaning: "several values refer to the same file of external binary data",
    cause: "Rows were copied with SQL, or by a tool that does not know about the files.",
    effect: """
      When the app deletes one of the objects, it deletes the file, and the other objects lose \
      their data.
      """,
    remedy:
      "Set the attribute again for all but one of the objects, so that each gets its own file.",
    fix: .lossless(
      """
      Set the attribute again in the app for all but one of the objects: each gets its own \
      file.
      """))
  /// No object refers to the file of external binary data.
  public static let orphanedExternalData = FindingCode(
    text: "orphaned-external-data", severity: .warning, check: .externalData,
    meaning: "no object refers to the file of external binary data",
    cause: """
      A crash between writing the file and saving, objects that were deleted with SQL, or a file \
      that someone put there. A file that the app has just written may belong to a save in \
      progress.
      """,
    effect: "None: the app does not know about the file, which only takes up space.",
    remedy: """
      Nothing. To free the space, close the app and remove all such files, with an undo file that \
      keeps them until you are sure.
      """,
    fix: .lossy("Move the file away while the app is closed, and keep it until you are sure."),
    tool: .compaction)
  /// The value does not say whether its data is stored in the row or in a file.
  public static let invalidExternalMarker = FindingCode(
    text: "invalid-external-marker", severity: .error, check: .externalData,
    meaning: "the value does not say whether its data is stored in the row or in a file",
    cause: """
      SQL or a tool wrote only the bytes of the value, the attribute was later allowed to use \
      files in a store that was not migrated, or the file is damaged.
      """,
    effect: """
      The app takes the first byte of the data for the marker: it truncates the value, takes it \
      for a file name, or refuses it.
      """,
    remedy: """
      If the data is complete, set the attribute again in the app. If a reference is truncated, \
      the orphaned files may contain the data.
      """,
    fix: .none("Decide whether the bytes are the data or part of a file name."))
  /// Something in the folder of external binary data was left out.
  public static let irregularExternalData = FindingCode(
    text: "irregular-external-data", severity: .warning, check: .externalData,
    meaning: "something among the files of external binary data was left out",
    cause: """
      It is a symbolic link, a pipe, a socket, a device, a folder below more than eight others, or \
      its name is not UTF-8. No archive contains it.
      """,
    effect: "The app does not know about it, or follows the link.",
    remedy: "If a link leads to something that matters, put the file itself there.",
    fix: .none("Decide whether it matters: then put a regular file in its place."))
  /// A file or folder next to the store has its name but is not known to belong to it, and was left out.
  public static let unknownCompanion = FindingCode(
    text: "unknown-companion", severity: .info, check: .externalData,
    meaning:
      "a file or folder next to the store has its name but is not known to belong to it, and was left out",
    cause: """
      The app or someone else put it there: a copy such as `Trips.sqlite.bak`, or a folder such as \
      `Trips_photos`. Or a newer system keeps something there that coffer does not know. Archives \
      contain the store, its support folder, and the folders `NAME_ckAssets` and \
      `NAME_ckAssetFiles` of CloudKit mirroring. The folder `ckAssetFiles` of old systems belongs \
      to all stores next to it.
      """,
    effect: "None for the store. Its content is in no archive.",
    remedy: "If the app needs it, back it up in another way.",
    fix: .none("Decide whether the app needs it."))

  static let externalCodes: [FindingCode] = [
    .missingExternalData, .unreadableExternalData, .emptyExternalData, .sharedExternalData,
    .orphanedExternalData, .invalidExternalMarker, .irregularExternalData, .unknownCompanion,
  ]
}
