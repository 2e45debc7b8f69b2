struct ComparisonRun {
  let options: ComparisonOptions
  let progress: any ProgressReporter
  func compare(
    _ first: String, _ second: String, _ onDifference: (Difference) throws -> Void
  ) throws -> ComparisonSummary { fatalError() }
}
