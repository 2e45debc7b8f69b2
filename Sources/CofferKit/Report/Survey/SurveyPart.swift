/// An observer that exists before its run, so that its results outlive a run that fails.
protocol SurveyPart: RunObserver {
  /// Sets the context of the run, before anything else is called.
  func begin(_ context: VerificationContext)
}
