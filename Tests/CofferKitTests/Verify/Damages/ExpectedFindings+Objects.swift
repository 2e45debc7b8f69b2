extension ExpectedFindings {
  /// Damages to what identifies an object.
  static let objects = [
    ExpectedFindings("missing-entity", "error missing-entity-number ItemEntity/p9"),
    ExpectedFindings("unknown-entity", "error unknown-entity ItemEntity/p9"),
    ExpectedFindings("foreign-entity", "error foreign-entity ItemEntity/p9"),
    ExpectedFindings("abstract-entity", "error abstract-entity ItemEntity/p9"),
  ]
}
