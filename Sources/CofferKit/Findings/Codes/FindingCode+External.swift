/// The codes of findings about external binary data.
extension FindingCode {
  /// The file with the external binary data is not there.
  public static let missingExternalData = FindingCode(
    text: "missing-external-data", severity: .error, check: .externalData,
    meaning: "the file with the external binary data is not there",
    cause:
      "A store that was copied without its hidden folder `.NAME_SUPPORT`; a clean-up; an app "
      + "that deleted the object while the store was being read: then try again.",
    effect: "The app gets nil for the attribute, or fails when it reads it.",
    remedy:
      "Find the folder where the store comes from and put it beside the store. If an archive "
      + "lacks the file, export the store again.")
  /// The file with the external binary data is empty.
  public static let emptyExternalData = FindingCode(
    text: "empty-external-data", severity: .error, check: .externalData,
    meaning: "the file with the external binary data is empty",
    cause:
      "A full disk or a crash while the file was written; a copy or a synchronised folder "
      + "that left only the file's name.",
    effect:
      "The app gets no bytes for the attribute, which may be less than it can live with: an image "
      + "that is none.",
    remedy: "Look for the file in older backups, and put it back under the same name.")
  /// Several values refer to one file of external binary data.
  public static let sharedExternalData = FindingCode(
    text: "shared-external-data", severity: .error, check: .externalData,
    meaning: "several values refer to one file of external binary data",
    cause: "Rows that were copied by SQL, or by a tool that does not know of the files.",
    effect:
      "The app deletes the file with the first of the objects that goes away, and the others lose "
      + "their data.",
    remedy:
      "Set the attribute again for all but one of the objects, so that each gets a file of "
      + "its own.")
  /// No object refers to the file of external binary data.
  public static let orphanedExternalData = FindingCode(
    text: "orphaned-external-data", severity: .warning, check: .externalData,
    meaning: "no object refers to the file of external binary data",
    cause:
      "A crash between the writing of the file and the save; objects that were deleted by "
      + "SQL; a file that somebody put there. A file that the app has just written may belong "
      + "to a save that is not done yet.",
    effect: "The app does not know of the file. It only takes up room.",
    remedy:
      "Nothing. To save room, move the file away while the app is closed, and keep it until "
      + "you are sure.")
  /// The value does not say whether it is here or in a file.
  public static let invalidExternalMarker = FindingCode(
    text: "invalid-external-marker", severity: .error, check: .externalData,
    meaning: "the value does not say whether it is here or in a file",
    cause:
      "SQL or a tool that wrote the bytes of the value alone; an attribute that was allowed "
      + "to use files later, in a store that was not migrated; damage.",
    effect:
      "The app takes the first byte of the data for the marker: the value is cut, is taken for the "
      + "name of a file, or is refused.",
    remedy:
      "If the data are whole, set the attribute again in the app. If a reference is cut off, "
      + "the orphaned files may hold the data.")
  /// Something in the folder of external binary data is not a plain file; it was left out.
  public static let irregularExternalData = FindingCode(
    text: "irregular-external-data", severity: .warning, check: .externalData,
    meaning: "something in the folder of external binary data is not a plain file; it was left out",
    cause:
      "Somebody who put it there: a link, a pipe, a socket, a device, a name that is not UTF-8, or "
      + "folders within more than eight others. It is in no archive.",
    effect: "The app does not know of it, or follows the link.",
    remedy: "If a link leads to something that matters, put the file itself there.")

  static let externalCodes: [FindingCode] = [
    .missingExternalData, .emptyExternalData, .sharedExternalData, .orphanedExternalData,
    .invalidExternalMarker, .irregularExternalData,
  ]
}
