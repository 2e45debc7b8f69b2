internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Learns from the persistent history which program wrote last.
final class AppSurvey: SurveyPart {
  private let transactions = TransactionVisitor()
  private let texts = TextVisitor()

  func begin(_ context: VerificationContext) {}

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .history else { return nil }
    switch table.shape.storedName {
    case StoredName.transactions:
      guard
        let names = StoredName.transactionTexts.first(where: { $0.meaning == "bundle identifier" })
      else { return nil }
      transactions.key = table.column(named: names.column)
      transactions.text = table.column(named: names.text)
      return transactions
    case StoredName.transactionStrings:
      texts.column = table.column(named: StoredName.transactionString)
      return texts
    default: return nil
    }
  }

  /// The bundle identifier of the program that wrote the last transaction; nil if it is unknown.
  var bundleID: String? {
    transactions.last?.text ?? transactions.last?.key.flatMap { texts.texts[$0] }
  }

  private final class TransactionVisitor: RowVisitor {
    var key: Int?
    var text: Int?
    private(set) var last: (number: Int64, key: Int64?, text: String?)?

    func visit(_ row: Row) throws {
      guard let number = row.primaryKey, number > last?.number ?? .min else { return }
      last = (number, key.flatMap { row.integer($0) }, text.flatMap { row.value($0).string })
    }
  }

  /// Keeps the texts of the history: few, because each is there once.
  private final class TextVisitor: RowVisitor {
    var column: Int?
    private(set) var texts: [Int64: String] = [:]
    /// The number of texts from which on they are no names of programs.
    private static let most = 10_000

    func visit(_ row: Row) throws {
      guard let column, let key = row.primaryKey, texts.count < Self.most else { return }
      texts[key] = row.value(column).string
    }
  }
}
