extension ExpectedFindings {
  /// Damages to the store's own system tables.
  package static let administration = metadata + numbering + modelCache + structure

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
    ExpectedFindings("missing-version-hashes", "warning no-version-hashes"),
    ExpectedFindings("short-version-hash", "error missing-version-hash VisitEntity"),
    ExpectedFindings("surplus-version-hash", "error surplus-version-hash WeatherEntity"),
    ExpectedFindings("wrong-hash-digest", "error version-digest-mismatch"),
    ExpectedFindings("wrong-model-checksum", "error version-checksum-mismatch"),
    ExpectedFindings("other-store-type", "error wrong-store-type"),
  ]

  private static let numbering = [
    ExpectedFindings(
      "missing-primary-key-table",
      store: ["warning check-not-run", "error missing-numbering"], archive: nil),
    ExpectedFindings(
      "missing-primary-key-row", "error unknown-entity VisitEntity/p1",
      "error unknown-entity VisitEntity/p2", "error unknown-entity VisitEntity/p3",
      "error unknown-entity VisitEntity/p4", "error change-of-unknown-entity",
      "error change-of-unknown-entity", "error unnumbered-entity VisitEntity"),
    ExpectedFindings("unknown-primary-key-name", "error unnumbered-entity VisitEntity"),
    ExpectedFindings("surplus-primary-key-row", "warning surplus-entity WeatherEntity"),
    ExpectedFindings("older-primary-key-name", "info renamed-entity NoteEntity"),
    ExpectedFindings("strange-entity-number", "warning unexpected-entity-number VisitEntity"),
    ExpectedFindings(
      "swapped-entity-numbers", "warning unexpected-entity-number SettingsEntity",
      "warning unexpected-entity-number VisitEntity"),
    ExpectedFindings(
      "wrong-superentity-number", "error wrong-superentity RecurringTodoEntity"),
  ]

  /// Without a model, the checks that need one cannot run.
  private static let modelCache = [
    withoutModel("missing-model-cache", "warning missing-model-cache"),
    withoutModel("missing-model-cache-table", "warning missing-model-cache"),
    withoutModel("garbage-model-cache", "error unreadable-model-cache"),
    withoutModel("cut-model-cache", "error unreadable-model-cache"),
    ExpectedFindings("surplus-model-cache", "warning surplus-model-cache"),
  ]

  private static func withoutModel(_ damage: String, _ finding: String) -> ExpectedFindings {
    let findings = ["warning check-not-run", finding]
    return ExpectedFindings(damage, store: findings, archive: findings)
  }

  private static let structure = [
    ExpectedFindings("unusual-trigger", "warning unusual-schema"),
    ExpectedFindings(
      "unknown-collation", store: ["warning unusual-schema", "error unrestorable-schema"],
      archive: nil),
    ExpectedFindings("missing-index", "info missing-index ItemEntity"),
    ExpectedFindings("missing-unique-index", "warning missing-unique-index TagEntity"),
    ExpectedFindings("missing-source-trigger", "warning missing-trigger TodoEntity.locationName"),
    ExpectedFindings("missing-table", "error missing-table VisitEntity"),
    ExpectedFindings("missing-join-table", "error missing-table NoteEntity.backlinks"),
    ExpectedFindings("missing-column", "error missing-property VisitEntity.departure"),
    ExpectedFindings("missing-version-column", "error missing-property VisitEntity"),
    ExpectedFindings(
      "missing-element-column", "error missing-property LocationEntity.place.latitude"),
    ExpectedFindings("missing-to-one-column", "error missing-property NoteEntity.author"),
    ExpectedFindings("missing-entity-column", "error missing-property AttachmentEntity.item"),
    ExpectedFindings("missing-order-column", "error missing-property AttachmentEntity.item"),
    ExpectedFindings("missing-pair-order-column", "error missing-property NoteEntity.links"),
    ExpectedFindings("missing-owner-column", "error missing-property LocationEntity.visits"),
  ]
}
