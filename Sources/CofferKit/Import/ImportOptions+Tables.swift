internal import CoreDataArchive

extension ImportOptions {
  /// Whether the rows of a table are to be restored.
  ///
  /// - Throws: ``ImportError`` where they are, but cannot go together with another choice.
  func restores(_ table: TableLayout, from archive: String) throws(ImportError) -> Bool {
    guard keeps(table) else { return false }
    guard storeUUID != .keep, [.history, .cloudKit].contains(table.kind) else { return true }
    let (option, what) =
      table.kind == .history
      ? ("history", "persistent history") : ("cloudkit", "CloudKit mirroring")
    throw ImportError(
      code: .choices, place: archive,
      detail:
        "the \(what) belongs to the store's UUID: a store with a new one and old rows of it "
        + "makes the app lose changes or fail to open it",
      hint: "Use --\(option) drop with --store-uuid new, or keep the UUID.")
  }

  /// Whether the choices want the rows of a table.
  func keeps(_ table: TableLayout) -> Bool {
    switch table.kind {
    case .history: history == .keep
    case .cloudKit: cloudKit == .keep
    default: true
    }
  }
}
