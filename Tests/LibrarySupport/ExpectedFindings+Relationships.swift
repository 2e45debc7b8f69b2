extension ExpectedFindings {
  /// Damages to relationships.
  package static let relationships = [
    ExpectedFindings("dangling-to-one", "error dangling-relationship NoteEntity/p6.author"),
    ExpectedFindings(
      "dangling-to-one-with-inverse", "error dangling-relationship TodoEntity/p5.location"),
    ExpectedFindings(
      "mandatory-to-one-dangling", "error dangling-relationship SettingsEntity/p1.person"),
    ExpectedFindings("zero-reference", "error dangling-relationship NoteEntity/p6.author"),
    ExpectedFindings("invalid-reference", "error invalid-reference NoteEntity/p6.author"),
    ExpectedFindings("wrong-destination-entity", "error wrong-destination TodoEntity/p2.parent"),
    ExpectedFindings(
      "entity-column-mismatch", "error wrong-destination-entity AttachmentEntity/p2.item"),
    ExpectedFindings(
      "entity-column-missing", "error wrong-destination-entity AttachmentEntity/p2.item"),
    ExpectedFindings(
      "entity-column-text", "error wrong-destination-entity AttachmentEntity/p2.item"),
    ExpectedFindings(
      "entity-column-stray", "error wrong-destination-entity TodoEntity/p1.parent"),
    ExpectedFindings(
      "dangling-owner", "error dangling-relationship VisitEntity/p4.LocationEntity.visits"),
    ExpectedFindings("one-to-one-half-set", "info inverse-missing SettingsEntity/p1.person"),
    // The settings are claimed by both, and lead back to one.
    ExpectedFindings(
      "one-to-one-mismatch", "error inverse-mismatch PersonEntity/p3.settings",
      "error shared-destination SettingsEntity/p1.person"),
    ExpectedFindings(
      "one-to-one-shared", "error missing-destination SettingsEntity/p1.person",
      "info inverse-missing PersonEntity/p2.settings",
      "info inverse-missing PersonEntity/p3.settings",
      "error shared-destination SettingsEntity/p1.person"),
    ExpectedFindings("dangling-pair", "error dangling-pair TodoEntity/p3.tags"),
    ExpectedFindings(
      "dangling-reflexive-pair", "info dangling-reflexive-pair PersonEntity/p6.friends"),
    ExpectedFindings("wrong-pair-entity", "error wrong-destination TodoEntity/p9.tags"),
    ExpectedFindings("wrong-pair-destination", "error wrong-destination NoteEntity/p7.backlinks"),
    ExpectedFindings("pair-without-destination", "error dangling-pair TodoEntity/p3.tags"),
    ExpectedFindings("pair-without-source", "error dangling-pair TodoEntity/p0.tags"),
    ExpectedFindings("missing-order-key", "error missing-order-key AttachmentEntity/p4.item"),
    ExpectedFindings("invalid-order-key", "error invalid-order-key AttachmentEntity/p4.item"),
    ExpectedFindings("surplus-order-key", "error surplus-order-key AttachmentEntity/p5.item"),
    ExpectedFindings("duplicate-order-key", "error duplicate-order-key AttachmentEntity/p4.item"),
    ExpectedFindings("missing-pair-order-key", "error missing-order-key NoteEntity/p7.backlinks"),
    ExpectedFindings("invalid-pair-order-key", "error invalid-order-key NoteEntity/p7.backlinks"),
    ExpectedFindings(
      "duplicate-pair-order-key", "error duplicate-order-key NoteEntity/p8.backlinks"),
    ExpectedFindings(
      "missing-inverse-order-key", "error missing-order-key TodoEntity/p2.assignees"),
    ExpectedFindings(
      "surplus-owner-order-key", "error surplus-order-key VisitEntity/p4.LocationEntity.visits"),
    ExpectedFindings(
      "duplicate-owner-order-key",
      "error duplicate-order-key VisitEntity/p3.LocationEntity.visits"),
    ExpectedFindings(
      "too-many-destinations", "error too-many-destinations TodoEntity/p1.attachments"),
    ExpectedFindings(
      "too-few-destinations", "error too-few-destinations LocationEntity/p3.visits"),
    ExpectedFindings(
      "too-few-pairs", "error too-few-destinations TodoEntity/p1.tags",
      "error too-few-destinations TodoEntity/p2.tags"),
  ]
}
