/// Some commands that are measured side by side, and what is learnt from them.
protocol Suite {
  /// What the suite is about, with the store.
  var title: String { get }

  /// Makes what is needed and runs everything.
  func measure(_ bench: Workbench) throws -> Samples

  /// The rows of the table of goals; without samples they say that nothing was measured.
  func rows(_ samples: Samples) -> [Row]
}
