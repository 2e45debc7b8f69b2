internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

extension ImportOptions {
  /// Whether to restore the rows of a table.
  ///
  /// - Throws: ``CofferError`` if that conflicts with another option.
  func restores(_ table: TableLayout, from archive: String) throws(CofferError) -> Bool {
    guard keeps(table) else { return false }
    guard storeUUID != .keep, [.history, .cloudKit].contains(table.kind) else { return true }
    let (what, advice): (String, CofferError.Advice) =
      table.kind == .history
      ? ("persistent history", .dropHistory) : ("CloudKit mirroring", .dropCloudKit)
    throw CofferError(
      .incompatibleChoices, path: archive,
      detail:
        "the \(what) belongs to the store's UUID: keeping it in a store with a new UUID "
        + "can make the app lose changes or fail to open the store",
      advice: advice)
  }

  /// Whether the options include the rows of a table.
  func keeps(_ table: TableLayout) -> Bool {
    switch table.kind {
    case .history: history == .keep && selection == nil
    case .cloudKit: keepsCloudKit
    default: true
    }
  }

  /// Whether the options include a file: those in the folders of CloudKit mirroring go with its tables.
  func keepsFile(_ components: [String]) -> Bool {
    CompanionFolder.of(components) == nil || keepsCloudKit
  }

  /// Whether the store stays connected with iCloud.
  var keepsCloudKit: Bool { cloudKit == .keep && selection == nil }
}
