internal import CoreDataModel
internal import CoreDataStore

/// Runs SQLite's check of the store's pages, and checks the write-ahead log.
///
/// An archive has neither.
final class SQLiteCheck: RunCheck, Check {
  static let name = CheckName.sqlite

  func prepare() throws {
    guard let store = context.subject.store else { return }
    let isDeep = context.options.isDeep
    guard let audit = store.beginAudit(isDeep: isDeep) else {
      try report(store) { () throws(CofferError) in
        try store.use { database throws(CofferError) in
          try DatabaseAudit(database).messages(isDeep: isDeep)
        }
      }
      return
    }
    context.pagesAreSound = { audit.hasPassed }
    // SQLite's findings come first, but the check runs in parallel until there is another finding.
    context.beforeFindings = { [self] in
      try report(store) { () throws(CofferError) in try audit.messages() }
    }
  }

  /// Reports SQLite's findings and defects of the log.
  private func report(
    _ store: PersistentStore, _ messages: () throws(CofferError) -> [String]
  ) throws {
    do {
      let messages = try messages()
      if !messages.isEmpty, let error = store.foreignLogError() { throw error }
      for message in messages { try report(.sqliteDamage, message) }
    } catch let error as CofferError where error.code == .sqliteError {
      try Task<Never, Never>.checkCancellation()
      try context.reportNotRun(Self.name, "SQLite says: \(error.detail)")
    }
    if let defect = try store.logDefect() { try report(.damagedLog, defect.text) }
  }

  /// A page that was unreadable when the store was opened may be readable during the check.
  func finish() throws {
    for part in context.administration.unreadableParts { try report(.sqliteDamage, part) }
  }

  private func report(_ code: FindingCode, _ detail: String) throws {
    try context.report(code, detail: detail)
  }
}
