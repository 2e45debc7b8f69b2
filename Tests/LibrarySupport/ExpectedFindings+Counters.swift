extension ExpectedFindings {
  /// Damages to the primary key counters.
  package static let counters = [
    ExpectedFindings("stale-maximum", "error primary-key-counter-behind ItemEntity"),
    ExpectedFindings("stale-history-maximum", "error primary-key-counter-behind CHANGE"),
    ExpectedFindings("missing-maximum", "error invalid-primary-key-counter ItemEntity"),
    ExpectedFindings("maximum-of-subentity", "warning primary-key-counter-on-subentity NoteEntity"),
  ]
}
