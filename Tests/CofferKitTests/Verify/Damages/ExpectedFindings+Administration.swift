extension ExpectedFindings {
  /// Damages to what the store says of itself.
  static let administration = metadata + modelCache

  private static let metadata = [
    ExpectedFindings(
      "missing-metadata", store: ["error missing-metadata", "warning check-not-run"], archive: nil),
    ExpectedFindings(
      "missing-metadata-table", store: ["error missing-metadata", "warning check-not-run"],
      archive: nil),
    ExpectedFindings("surplus-metadata", "error surplus-metadata"),
    ExpectedFindings("lower-case-uuid", "error invalid-store-uuid"),
    ExpectedFindings("missing-uuid", "error invalid-store-uuid"),
    ExpectedFindings("garbage-metadata", "error unreadable-metadata", "warning check-not-run"),
    ExpectedFindings("empty-metadata", "error unreadable-metadata", "warning check-not-run"),
    ExpectedFindings("missing-version-hash", "error missing-version-hash VisitEntity"),
    ExpectedFindings("missing-version-hashes", "error missing-version-hash"),
    ExpectedFindings("short-version-hash", "error missing-version-hash VisitEntity"),
    ExpectedFindings("surplus-version-hash", "error surplus-version-hash WeatherEntity"),
    ExpectedFindings("wrong-hash-digest", "error version-digest-mismatch"),
    ExpectedFindings("wrong-model-checksum", "error version-checksum-mismatch"),
  ]

  /// Without a model, the checks that need one cannot run.
  private static let modelCache = [
    withoutModel("missing-model-cache", "warning missing-model-cache"),
    withoutModel("missing-model-cache-table", "warning missing-model-cache"),
    withoutModel("garbage-model-cache", "error unreadable-model-cache"),
    withoutModel("cut-model-cache", "error unreadable-model-cache"),
  ]

  private static func withoutModel(_ damage: String, _ finding: String) -> ExpectedFindings {
    let findings = Array(repeating: "warning check-not-run", count: 11) + [finding]
    return ExpectedFindings(damage, store: findings, archive: findings)
  }
}
