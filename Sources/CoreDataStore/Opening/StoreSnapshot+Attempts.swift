package import CoreDataModel

/// Opening a store that may not be readable.
extension StoreSnapshot {
  /// The options of reading as much as possible.
  package static var salvageOptions: SnapshotOptions {
    var options = SnapshotOptions(preference: .copy, toleratesMissingFrames: true)
    options.isSalvage = true
    return options
  }

  /// Opens a store, or throws the reason why it cannot be opened.
  package static func attempt(
    _ path: String, _ options: SnapshotOptions
  ) -> Result<StoreSnapshot, CofferError> {
    Result { () throws(CofferError) in try StoreSnapshot(of: path, options: options) }
  }

  /// Whether SQLite finds nothing wrong with any table or index.
  package var isSound: Bool {
    do throws(CofferError) {
      return try use { database throws(CofferError) in
        try DatabaseAudit(database).messages(isDeep: true).isEmpty
      }
    } catch {
      return false
    }
  }
}
