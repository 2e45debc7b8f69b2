extension ExpectedFindings {
  /// Damages to the values that the rules of the model speak of.
  package static let rules = [
    ExpectedFindings("mandatory-attribute-missing", "error missing-value VisitEntity/p1.arrival"),
    ExpectedFindings(
      "defaulted-attribute-missing", "info missing-value-with-default TagEntity/p1.color"),
    ExpectedFindings(
      "mandatory-to-one-missing", "error missing-destination SettingsEntity/p1.person"),
    ExpectedFindings("wrong-storage-class", "error wrong-storage-class TagEntity/p1.color"),
    ExpectedFindings("blob-for-text", "error wrong-storage-class PersonEntity/p1.name"),
    ExpectedFindings("integer-out-of-range", "error integer-out-of-range TodoEntity/p1.flags"),
    ExpectedFindings("strange-boolean", "error invalid-boolean PersonEntity/p1.isActive"),
    ExpectedFindings("short-uuid", "error invalid-uuid TodoEntity/p1.uuid"),
    ExpectedFindings("invalid-text", "error invalid-text PersonEntity/p1.name"),
    // Unusual, but a value like any other.
    ExpectedFindings("infinite-number"),
    ExpectedFindings("infinite-date", "error infinite-date VisitEntity/p1.departure"),
    ExpectedFindings(
      "uniqueness-violated", "error duplicate-unique-value TagEntity/p2.name",
      "warning missing-unique-index TagEntity"),
    ExpectedFindings(
      "tuple-not-unique", "error duplicate-unique-value SettingsEntity/p3.locale, uuid",
      "warning missing-unique-index SettingsEntity"),
    ExpectedFindings("number-out-of-validation", "warning invalid-value TodoEntity/p1.priority"),
    ExpectedFindings("text-too-short", "warning invalid-value TagEntity/p1.name"),
    ExpectedFindings("text-too-long", "warning invalid-value TagEntity/p1.name"),
    ExpectedFindings(
      "validation-by-pattern", "info validation-not-evaluated PersonEntity.email"),
  ]
}
