internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// Observes the rows that the verifier reads, for the figures of a report.
final class Survey {
  /// The sizes of values.
  let columns = ColumnSurvey()
  /// The dates.
  let dates = DateSurvey()
  /// The numbers of destinations.
  let fanOut = FanOutSurvey()
  /// The external files.
  let external = ExternalSurvey()
  /// The persistent history.
  let history = HistorySurvey()
  /// The objects that nothing refers to.
  let referred = ReferredSurvey()
  /// The program that wrote last.
  let app = AppSurvey()
  /// The values of likely keys.
  let keys = RepeatedKeySurvey()
  /// The version hash of each entity by name, in hexadecimal digits.
  private(set) var versionHashes: [ExactString: String] = [:]

  /// Creates the observers of a run, in order.
  func observers(_ context: VerificationContext) -> [any RunObserver] {
    let parts: [any SurveyPart] = [
      columns, dates, fanOut, external, history, referred, keys, app,
    ]
    for part in parts { part.begin(context) }
    return parts + [MetadataObserver(self, context)]
  }

  /// Takes the version hashes from the store metadata, which are known at the end.
  private final class MetadataObserver: RunObserver {
    private let survey: Survey
    private let context: VerificationContext

    init(_ survey: Survey, _ context: VerificationContext) {
      self.survey = survey
      self.context = context
    }

    func finish() {
      let hashes = context.administration.metadata.first?.modelVersionHashes ?? [:]
      survey.versionHashes = hashes.mapValues { Hexadecimal.text($0.bytes) }
    }
  }
}

/// An observer that exists before its run, so that its results outlive a run that fails.
protocol SurveyPart: RunObserver {
  /// Sets the context of the run, before anything else is called.
  func begin(_ context: VerificationContext)
}
