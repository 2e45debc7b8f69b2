internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks the version counter of each object, and compares it with the persistent history.
///
/// Source: store-format, end of section 7. A counter above the recorded number is normal, because
/// batch updates and deferred counters are not recorded.
final class VersionCheck: Check {
  static let name = CheckName.versions
  private let context: VerificationContext
  /// The topic of each entity's table, by entity index; nil if there is none.
  private var topics: [UInt32?] = []

  init(_ context: VerificationContext) { self.context = context }

  func prepare() {
    guard context.tables.contains(where: { ChangeColumns($0.shape) != nil }) else { return }
    var topicsOfTables: [Int: UInt32] = [:]
    for table in context.tables where table.shape.kind == .entity {
      topicsOfTables[table.index] = context.topic(RecordedObjects(table, context))
    }
    topics = (0..<context.entities.count).map { index in
      context.entities.name(UInt16(clamping: index)).flatMap(context.table(ofEntity:))
        .flatMap { topicsOfTables[$0.index] }
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    switch table.shape.kind {
    case .entity: ObjectVersionVisitor(table, context)
    case .history: HistoryVersionVisitor(table, topics: topics, context)
    default: nil
    }
  }
}
