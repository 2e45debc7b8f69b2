extension ExpectedFindings {
  /// Damages to the file, its pages and its log.
  package static let database = [
    ExpectedFindings(
      "broken-page",
      store: [
        "error sqlite-damage", "error unreadable-table TagEntity", "info follows-from-damage",
      ], archive: nil),
    ExpectedFindings("wrong-free-list", store: ["error sqlite-damage"], archive: []),
    ExpectedFindings("damaged-log", store: ["warning damaged-log"], archive: nil),
    ExpectedFindings("damaged-log-header", store: ["warning damaged-log"], archive: nil),
  ]
}
