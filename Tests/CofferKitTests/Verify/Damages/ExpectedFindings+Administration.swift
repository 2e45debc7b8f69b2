extension ExpectedFindings {
  /// Damages to what the store says of itself.
  static let administration = metadata

  private static let metadata = [
    ExpectedFindings(
      "missing-metadata", store: ["error missing-metadata"], archive: nil),
    ExpectedFindings(
      "missing-metadata-table", store: ["error missing-metadata"],
      archive: nil),
    ExpectedFindings("surplus-metadata", "error surplus-metadata"),
    ExpectedFindings("lower-case-uuid", "error invalid-store-uuid"),
    ExpectedFindings("missing-uuid", "error invalid-store-uuid"),
    ExpectedFindings("garbage-metadata", "error unreadable-metadata"),
    ExpectedFindings("empty-metadata", "error unreadable-metadata"),
  ]
}
