/// The codes of findings about what is computed from other values.
extension FindingCode {
  /// The value of the derived attribute is not what its expression gives.
  public static let derivedValueMismatch = FindingCode(
    text: "derived-value-mismatch", severity: .error, check: .derived,
    meaning: "the value of the derived attribute is not what its expression gives",
    cause: "",
    effect: "",
    remedy: "")
  /// The spatial index does not agree with the object.
  public static let spatialIndexMismatch = FindingCode(
    text: "spatial-index-mismatch", severity: .error, check: .spatialIndex,
    meaning: "the spatial index does not agree with the object",
    cause: "",
    effect: "",
    remedy: "")

  static let derivedCodes: [FindingCode] = [
    .derivedValueMismatch, .spatialIndexMismatch,
  ]
}
