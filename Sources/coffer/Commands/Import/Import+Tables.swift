internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The import of tables.
extension Import {
  /// Whether the source is tables: a folder, a file that is named as one, a database where a model is
  /// given, or whatever there are options of tables for.
  var isOfTables: Bool {
    if tables.isUsed { return true }
    guard archive != "-" else { return false }
    return TableImporter.isTable(archive)
      || requiring.model != nil && InputFile.isDatabase(archive)
  }

  /// Makes a store of tables, and prints what it is.
  func importTables(_ session: Session) throws -> ExitStatus {
    guard let model = requiring.model else {
      throw CofferError(
        .refused, path: archive,
        detail: "tables do not say what entities and attributes they are of",
        advice: "Pass the model of the store: --model MODEL")
    }
    try refuseOptionsOfArchives()
    var options = TableImportOptions(model: model, modelVersion: requiring.modelVersion)
    options.overwriting = force
    options.archiveAccess = try reading.access(session, reading: archive)
    options.tables = tables.options
    if archive != "-" { try InputFile.refuse(replacing: archive, with: store) }
    let importer = TableImporter(options: options, progress: session.progress)
    let summary = try importer.import(archive, to: store)
    session.eraseProgress()
    try session.printer.print(TableImportMessage(summary: summary, store: store))
    if !summary.store.hasVersionHashes {
      try session.printer.warn(
        CreateMessage.noVersionHashes,
        CreateMessage.hashWarning(store, model, remedy: "pass that store as --model"))
    }
    return .done
  }

  private func refuseOptionsOfArchives() throws {
    let given = [
      (strict, "--strict"), (salvage, "--salvage"), (trustSchema, "--trust-schema"),
      (selecting.selection != nil, "--entity"), (storeUUID.value != .keep, "--store-uuid"),
      (history.value != .keep, "--history"), (cloudkit.value != .keep, "--cloudkit"),
    ]
    if let option = given.first(where: \.0)?.1 {
      throw CofferError(
        .incompatibleChoices, path: archive, detail: "\(option) is for archives, not for tables")
    }
  }
}
