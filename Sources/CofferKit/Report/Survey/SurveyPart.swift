/// An observer that is there before its run, so that what it saw outlives a run that fails.
protocol SurveyPart: RunObserver {
  /// Takes the context of the run: nothing was asked of it before.
  func begin(_ context: VerificationContext)
}
