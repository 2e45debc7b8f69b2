extension ExpectedFindings {
  private static let first = "AttachmentEntity/p1.content"

  /// Damages to external binary data.
  package static let external = [
    ExpectedFindings(
      "missing-external-file", "error missing-external-data AttachmentEntity/p4.content"),
    ExpectedFindings(
      "missing-external-folder", "error missing-external-data AttachmentEntity/p4.content",
      "error missing-external-data AttachmentEntity/p5.content"),
    ExpectedFindings("orphan-external-file", "warning orphaned-external-data"),
    ExpectedFindings(
      "empty-external-file", "error empty-external-data AttachmentEntity/p4.content"),
    // A link is in no archive.
    ExpectedFindings(
      "external-link", store: ["warning irregular-external-data"], archive: []),
    // Neither are files that only have the name of the store.
    ExpectedFindings("stray-copy", store: ["info unknown-companion"], archive: []),
    ExpectedFindings(
      "shared-external-file", "error shared-external-data AttachmentEntity/p4.content"),
    ExpectedFindings("unknown-external-mark", "error invalid-external-marker \(first)"),
    ExpectedFindings("cut-external-reference", "error invalid-external-marker \(first)"),
    ExpectedFindings("escaping-external-reference", "error invalid-external-marker \(first)"),
    ExpectedFindings("empty-external-value", "error invalid-external-marker \(first)"),
  ]
}
