extension ExpectedFindings {
  /// Damages to values that are computed from others.
  package static let derived = [
    ExpectedFindings(
      "wrong-derived-count", "error derived-value-mismatch LocationEntity/p1.todoCount"),
    ExpectedFindings(
      "missing-derived-count", "warning derived-value-missing LocationEntity/p2.todoCount"),
    ExpectedFindings(
      "wrong-derived-copy", "error derived-value-mismatch TodoEntity/p1.locationName"),
    ExpectedFindings(
      "stray-derived-copy", "error derived-value-mismatch TodoEntity/p2.locationName"),
    ExpectedFindings(
      "missing-derived-copy",
      "warning derived-value-missing RecurringTodoEntity/p4.locationName"),
    ExpectedFindings(
      "stale-derived-copies",
      "error derived-value-mismatch TodoEntity/p1.locationName",
      "error derived-value-mismatch TodoEntity/p3.locationName",
      "error derived-value-mismatch RecurringTodoEntity/p4.locationName"),
    ExpectedFindings(
      "wrong-spatial-entry", "error spatial-index-mismatch LocationEntity/p1.bounds"),
    ExpectedFindings(
      "missing-spatial-entry", "error spatial-index-mismatch LocationEntity/p1.bounds"),
    ExpectedFindings(
      "stray-spatial-entry", "error spatial-index-mismatch LocationEntity/p7.bounds"),
    ExpectedFindings(
      "missing-spatial-trigger", "info missing-spatial-trigger LocationEntity.bounds"),
  ]
}
