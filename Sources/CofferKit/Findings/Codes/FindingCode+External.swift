/// The codes of findings about external binary data.
extension FindingCode {
  /// The file with the external binary data is not there.
  public static let missingExternalData = FindingCode(
    text: "missing-external-data", severity: .error, check: .externalData,
    meaning: "the file with the external binary data is not there",
    cause: "",
    effect: "",
    remedy: "")
  /// The file with the external binary data is empty.
  public static let emptyExternalData = FindingCode(
    text: "empty-external-data", severity: .error, check: .externalData,
    meaning: "the file with the external binary data is empty",
    cause: "",
    effect: "",
    remedy: "")
  /// Several values refer to one file of external binary data.
  public static let sharedExternalData = FindingCode(
    text: "shared-external-data", severity: .error, check: .externalData,
    meaning: "several values refer to one file of external binary data",
    cause: "",
    effect: "",
    remedy: "")
  /// No object refers to the file of external binary data.
  public static let orphanedExternalData = FindingCode(
    text: "orphaned-external-data", severity: .warning, check: .externalData,
    meaning: "no object refers to the file of external binary data",
    cause: "",
    effect: "",
    remedy: "")
  /// The value does not say whether it is here or in a file.
  public static let invalidExternalMarker = FindingCode(
    text: "invalid-external-marker", severity: .error, check: .externalData,
    meaning: "the value does not say whether it is here or in a file",
    cause: "",
    effect: "",
    remedy: "")
  /// Something in the folder of external binary data is not a plain file; it was left out.
  public static let irregularExternalData = FindingCode(
    text: "irregular-external-data", severity: .warning, check: .externalData,
    meaning: "something in the folder of external binary data is not a plain file; it was left out",
    cause: "",
    effect: "",
    remedy: "")

  static let externalCodes: [FindingCode] = [
    .missingExternalData, .emptyExternalData, .sharedExternalData, .orphanedExternalData,
    .invalidExternalMarker, .irregularExternalData,
  ]
}
