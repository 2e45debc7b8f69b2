internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Observes the rows that the verifier reads, for the figures of a report.
final class Survey {
  /// The sizes of values.
  let columns = ColumnSurvey()
  let dates = DateSurvey()
  let external = ExternalSurvey()
  /// The last transaction of the persistent history.
  let history = HistorySurvey()
  /// The program that wrote last.
  let app = AppSurvey()
  /// The values of likely keys.
  let keys = RepeatedKeySurvey()
  /// The version hash of each entity by name, in hexadecimal digits.
  private(set) var versionHashes: [Name: String] = [:]

  /// Creates the observers of a run, in order.
  func observers(_ context: VerificationContext) -> [any RunObserver] {
    let parts: [any SurveyPart] = [columns, dates, external, history, keys, app]
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

/// An observer that exists before its run, so that its results survive a failed run.
protocol SurveyPart: RunObserver {
  /// Sets the context of the run, before anything else is called.
  func begin(_ context: VerificationContext)
}

/// Learns from the persistent history which program wrote last.
final class AppSurvey: SurveyPart {
  private let transactions = LastProgram()
  private let texts = Texts()

  func begin(_ context: VerificationContext) {}

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .history else { return nil }
    switch table.shape.storedName {
    case StoredName.transactions:
      guard
        let names = StoredName.transactionTexts.first(where: { $0.meaning == "bundle identifier" })
      else { return nil }
      transactions.key = table.column(named: names.column)
      transactions.text = table.column(named: names.text)
      return RowVisitor(visit: transactions.visit)
    case StoredName.transactionStrings:
      texts.column = table.column(named: StoredName.transactionString)
      return RowVisitor(visit: texts.visit)
    default: return nil
    }
  }

  /// The bundle identifier of the program that wrote the last transaction; nil if it is unknown.
  var bundleID: String? {
    transactions.last?.text ?? transactions.last?.key.flatMap { texts.texts[$0] }
  }

  private final class LastProgram {
    var key: Int?
    var text: Int?
    private(set) var last: (number: Int64, key: Int64?, text: String?)?

    func visit(_ row: Row) throws {
      guard let number = row.primaryKey, number > last?.number ?? .min else { return }
      last = (number, key.flatMap { row.integer($0) }, text.flatMap { row.value($0).string })
    }
  }

  /// Keeps the texts of the history; there are few, because each is stored once.
  private final class Texts {
    var column: Int?
    private(set) var texts: [Int64: String] = [:]
    /// The maximum number of texts; beyond it, they are not names of programs.
    private static let maxCount = 10_000

    func visit(_ row: Row) throws {
      guard let column, let key = row.primaryKey, texts.count < Self.maxCount else { return }
      texts[key] = row.value(column).string
    }
  }
}

/// Examines the values that can be in files, and the files.
final class ExternalSurvey: SurveyPart {
  private var context: VerificationContext?
  private var tables: [Values] = []
  /// The position in this list, by table index.
  private var positions: [Int: Int] = [:]

  func begin(_ context: VerificationContext) { self.context = context }

  // An archive has nothing to visit for a table without rows.
  func prepare() {
    guard let context else { return }
    for table in context.tables where table.shape.kind == .entity {
      let columns = AttributeColumn.all(of: table, context.subject.model).filter(\.isExternal)
      guard !columns.isEmpty else { continue }
      positions[table.index] = tables.count
      tables.append(Values(columns))
    }
  }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    positions[table.index].map { RowVisitor(visit: tables[$0].visit) }
  }

  /// The result, without the findings.
  var report: ExternalDataReport {
    let files = (context?.supportFiles ?? []).filter {
      $0.components.first == StorePaths.externalDataFolderName
    }
    let largest = files.sorted {
      $0.size != $1.size ? $0.size > $1.size : Self.name($0) < Self.name($1)
    }
    .prefix(5)
    return ExternalDataReport(
      fileCount: files.count,
      byteCount: files.reduce(0) { $0.addingReportingOverflow($1.size).partialValue },
      largest: largest.map { .init(name: Self.name($0), byteCount: $0.size) },
      attributes: tables.flatMap(\.attributes), missingCount: 0, orphanedCount: 0)
  }

  private static func name(_ file: SupportFolder.File) -> String {
    file.components.dropFirst().joined(separator: "/")
  }

  /// Examines the markers of the values of a table (store-format, section 6).
  private final class Values {
    private(set) var attributes: [ExternalDataReport.Attribute]
    private let positions: [Int]

    init(_ columns: [AttributeColumn]) {
      positions = columns.map(\.column)
      attributes = columns.map {
        .init(
          entityName: $0.entityName, name: $0.name, inlineCount: 0, inlineByteCount: 0,
          referenceCount: 0)
      }
    }

    func visit(_ row: Row) {
      for place in positions.indices {
        switch row.firstByte(positions[place]) {
        case 1:
          attributes[place].inlineCount &+= 1
          attributes[place].inlineByteCount &+= row.size(positions[place]) - 1
        case 2: attributes[place].referenceCount &+= 1
        default: break
        }
      }
    }
  }
}
