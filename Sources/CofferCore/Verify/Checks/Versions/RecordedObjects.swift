internal import CoreDataLayout
internal import CoreDataModel

/// Compares the objects of one table with their records in the persistent history.
///
/// The changes of an object come together, in the order of their own keys. Primary keys are never
/// reused, so all changes of a key belong to one object.
final class RecordedObjects: RecordConsumer {
  private let table: VerifiedTable
  private let context: VerificationContext
  private var object: Int64?
  private var isInserted = false
  private var isDeleted = false
  /// The recorded updates since the insertion.
  private var updates = 0
  /// The change that recorded the deletion.
  private var deletion: Int64 = 0

  /// Creates the consumer for a table.
  init(_ table: VerifiedTable, _ context: VerificationContext) {
    self.table = table
    self.context = context
  }

  func take(_ record: SortRecord) throws {
    if record.key != object {
      try compare()
      (object, isInserted, isDeleted, updates) = (record.key, false, false, 0)
    }
    switch RecordedChange(rawValue: record.second) {
    case .insertion: (isInserted, isDeleted, updates) = (true, false, 0)
    case .update: (isDeleted, updates) = (false, updates &+ 1)
    case .deletion: (isInserted, isDeleted, deletion) = (false, true, record.first)
    case nil: break
    }
  }

  func topicDone() throws { try compare() }

  private func compare() throws {
    // A valid counter is at least 1, so an insertion alone proves nothing.
    guard let object, isDeleted || (isInserted && updates > 0),
      let entry = try context.keys(of: table)?.find(object)
    else { return }
    let name = context.entities.name(entry.entity) ?? table.shape.entityName ?? ""
    let objectID = ManagedObjectID(entityName: name, primaryKey: object)
    if isDeleted {
      try context.report(
        Finding(.deletedObjectPresent, objectID: objectID, detail: "change \(deletion)"))
    } else if entry.version > 0, Int(entry.version) <= updates {
      let count = updates == 1 ? "one update" : "\(updates) updates"
      try context.report(
        Finding(
          .versionBehindHistory, objectID: objectID,
          detail: "it is \(entry.version), after an insertion and \(count)"))
    }
  }
}
