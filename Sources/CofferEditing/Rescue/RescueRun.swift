internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import POSIX

/// One rescue: an archive of the readable data, a store from the archive, and its repair, all in the
/// hidden folder next to the new store.
struct RescueRun {
  let path: String
  let newStore: String
  let options: RescueOptions
  let progress: any ProgressReporter

  /// Makes the new store.
  func run() throws -> RescueSummary {
    if let folder = options.recoveredFolder, (try? FileState.look(at: folder)) != nil,
      !options.overwriting
    {
      throw CofferError(
        .outputExists, path: folder, detail: "a file or folder already exists there",
        advice: .allowReplacing)
    }
    progress.report(WorkProgress(.opening))
    let problem = try problemOfReading()
    let store = try fitted(
      PersistentStore(salvaging: path, model: options.environment.model?.model))
    let placement = try StorePlacement(path: newStore, isReplacing: options.overwriting)
    guard !placement.target.store.hasSameBytes(as: store.path) else {
      throw CofferError(
        .refused, path: newStore, detail: "the output would replace the input",
        advice: "Choose another name.")
    }
    try SupportFolder(of: StorePaths(store: store.path)).requireComplete()
    do {
      var summary = try rescue(store, placement)
      summary.problem = problem
      try Task<Never, Never>.checkCancellation()
      progress.report(WorkProgress(.writing))
      do {
        try placement.commit()
      } catch {
        if !placement.isDone, !summary.recovered.isEmpty, let folder = options.recoveredFolder {
          FileTree.remove(folder)
        }
        throw error
      }
      return summary
    } catch let error as CofferError {
      placement.abandon()
      throw named(error, placement)
    } catch {
      placement.abandon()
      throw error
    }
  }

  /// The error that other commands report for the store or its pages; nil if it is sound.
  private func problemOfReading() throws -> CofferError? {
    do {
      let store = try PersistentStore.opened(path, .inPlace)
      defer { store.close() }
      let messages = try store.use { try DatabaseAudit($0).messages(isDeep: false) }
      if !messages.isEmpty {
        return store.foreignLogError()
          ?? CofferError(.damagedStore, path: store.path, detail: CofferError.pageDamage)
      }
      return store.modelProblem.map { problem in
        CofferError(
          .damagedStore, path: store.path,
          detail: "\(FindingCode.unreadableModelCache.meaning): \(problem.detail)")
      }
    } catch let error as CofferError {
      return error
    }
  }

  /// The store, with the given model if it has lost its own.
  private func fitted(_ store: PersistentStore) throws(CofferError) -> PersistentStore {
    guard let model = options.environment.model else { return store }
    // The remains of a damaged schema do not show whether the model is the right one.
    let isDamaged = !store.catalog.isWhole || !store.unreadableParts.isEmpty
    return store.model.source == .inferred && isDamaged
      ? store.planned(forFile: model.model) : try store.fitted(to: model)
  }

  private func rescue(
    _ store: PersistentStore, _ placement: StorePlacement
  ) throws -> RescueSummary {
    let archive = Self.archive(in: placement)
    let salvaged = try salvage(store, to: archive)
    let restored = try restore(archive, salvaged, placement)
    FileTree.remove(archive)
    var summary = RescueSummary(
      content: restored.content, storeUUID: restored.storeUUID, losses: salvaged.summary.salvage,
      lostTables: salvaged.losses.tables,
      findings: salvaged.summary.findings + restored.findings.filter { $0.code == .rebuiltTable },
      repair: RepairSummary())
    try repair(placement.working.store, &summary)
    if let folder = options.recoveredFolder {
      let recovery = RowRecovery(
        store: store, rescued: placement.working.store, options: options, progress: progress)
      let pages = placement.path(inWorkingFolder: "pages")
      summary.recovered = try recovery.run(copyingTo: pages, folder)
    }
    store.close()
    return summary
  }

  private static func archive(in placement: StorePlacement) -> String {
    placement.path(inWorkingFolder: "salvaged.coffer.tar.gz")
  }

  private func salvage(_ store: PersistentStore, to archive: String) throws -> ExportedArchive {
    var exporting = ExportOptions(level: 1, salvages: true)
    exporting.leavesOutUnusualStatements = !options.trustsSchema
    let exporter = StoreExporter(options: exporting, progress: progress)
    return try store.use { database in
      try exporter.write(store, database, to: .file(path: archive, overwriting: false))
    }
  }

  private func restore(
    _ archive: String, _ salvaged: ExportedArchive, _ placement: StorePlacement
  ) throws -> ImportSummary {
    var importer = StoreImporter(progress: progress)
    // Recreates lost administrative tables of a store.
    importer.options.salvages = true
    importer.options.trustsSchema = options.trustsSchema
    importer.options.environment = options.environment
    for (name, value) in salvaged.summary.raisedLimits {
      importer.options.environment.limits[name] = value
    }
    return try importer.import(archive, to: placement.working.store)
  }

  /// Repairs the new store; one that cannot be repaired is kept as restored.
  private func repair(_ store: String, _ summary: inout RescueSummary) throws {
    var repairer = StoreRepairer(progress: progress)
    repairer.options.codes = RescueOptions.lossyCodes
    // Because of the losses, the new store already differs from its mirroring state.
    repairer.options.editing.allowsMirrored = true
    repairer.options.environment = options.environment
    do {
      summary.repair = try repairer.repair(store)
    } catch let error as CofferError where Self.isRefusal(error) {
      summary.repairProblem = error
      try verify(store, &summary)
    }
  }

  /// Whether an error means that a store cannot be repaired, rather than that the work failed.
  private static func isRefusal(_ error: CofferError) -> Bool {
    [.modelMismatch, .newFindings, .refused, .damagedStore, .sqliteError].contains(error.code)
  }

  private func verify(_ store: String, _ summary: inout RescueSummary) throws {
    var options = VerificationOptions()
    options.environment = .inPlace
    options.environment.temporaryFolder = self.options.environment.temporaryFolder
    var counts: [FindingCode: Int] = [:]
    try Verifier(options: options, progress: progress).verify(store) {
      counts[$0.code, default: 0] += $0.multiplicity
    }
    summary.repair.storeUUID = summary.storeUUID
    summary.repair.add(counts)
  }

  /// An error with the given paths instead of the paths in the hidden folder.
  private func named(_ error: CofferError, _ placement: StorePlacement) -> CofferError {
    var error = error
    for (hidden, name) in [
      (Self.archive(in: placement), path), (placement.working.store, newStore),
    ] {
      if error.place.path == hidden { error.place.path = name }
      error.detail = error.detail.replacing(hidden, with: name)
    }
    return error
  }
}
