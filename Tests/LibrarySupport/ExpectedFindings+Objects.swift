extension ExpectedFindings {
  /// Damages to the identity of an object, and to its version counter.
  package static let objects = [
    ExpectedFindings("negative-primary-key", "error invalid-primary-key VisitEntity/p-4"),
    ExpectedFindings("missing-entity", "error missing-entity-number ItemEntity/p9"),
    ExpectedFindings("unknown-entity", "error unknown-entity ItemEntity/p9"),
    ExpectedFindings("foreign-entity", "error foreign-entity ItemEntity/p9"),
    ExpectedFindings("abstract-entity", "error abstract-entity ItemEntity/p9"),
    ExpectedFindings("missing-version", "error invalid-version TagEntity/p1"),
    ExpectedFindings("zero-version", "error invalid-version TagEntity/p1"),
    ExpectedFindings("text-version", "error invalid-version TagEntity/p1"),
    ExpectedFindings("version-below-history", "info version-behind-history TodoEntity/p2"),
    ExpectedFindings("deleted-object-present", "error deleted-object-present TagEntity/p7"),
    ExpectedFindings("history-versions", "info history-version-set"),
    // Between subentities no real store shows which triggers there are besides the first.
    ExpectedFindings("missing-trigger"),
  ]
}
