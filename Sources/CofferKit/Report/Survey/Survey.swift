internal import CoreDataArchive
internal import CoreDataModel

/// What looks on while the verifier reads the rows, for the numbers of a report.
final class Survey {
  /// How much the values hold.
  let columns = ColumnSurvey()
  /// When dates are.
  let dates = DateSurvey()
  /// How many destinations relationships have.
  let fanOut = FanOutSurvey()
  /// What stands in files beside the store.
  let external = ExternalSurvey()
  /// The persistent history.
  let history = HistorySurvey()
  /// The version hash of each entity by name, in hexadecimal digits.
  private(set) var versionHashes: [ExactString: String] = [:]

  /// Makes the observers of a run, in their order.
  func observers(_ context: VerificationContext) -> [any RunObserver] {
    let parts: [any SurveyPart] = [columns, dates, fanOut, external, history]
    for part in parts { part.begin(context) }
    return parts + [MetadataObserver(self, context)]
  }

  /// Takes the version hashes out of the store metadata, which are known at the end.
  private final class MetadataObserver: RunObserver {
    private let survey: Survey
    private let context: VerificationContext

    init(_ survey: Survey, _ context: VerificationContext) {
      self.survey = survey
      self.context = context
    }

    func finish() {
      let hashes = context.administration.metadata.first?.modelVersionHashes ?? [:]
      survey.versionHashes = hashes.mapValues { hash in
        hash.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }
  }
}
