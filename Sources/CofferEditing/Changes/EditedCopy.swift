internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import POSIX

/// A private copy of a store that is changed and then replaces the store.
///
/// Every command that changes a store works this way: it calls ``edit(settings:_:)``, examines the
/// result, and calls ``place()``. Until then, the store is unchanged. The creator of a copy finally
/// calls ``abandon()``.
final class EditedCopy {
  /// The original store; closed after the edit.
  let store: PersistentStore
  let path: String
  let placement: StorePlacement
  /// The state that the store must still have when the copy replaces it; nil if it does not replace
  /// it.
  private let before: StorePlacement.TargetState?
  private let others: EditedFiles.Others
  private let options: EditingOptions
  /// The environment, with the given model.
  let environment: WorkEnvironment
  private let progress: any ProgressReporter
  private var removedFiles: Set<Name>?
  /// The rows in which the copy can differ from the store; nil if unknown.
  private var changedRows: ChangedRows?
  /// The app's own checks, which run in each verification.
  var objectChecks: [any ObjectCheck] = []

  /// Opens a store to change, and prepares the place of the copy.
  ///
  /// Without the path of a new store, the store itself is replaced. A plan never does that, so that its folder
  /// need not be writable.
  ///
  /// - Throws: ``CofferError``: `mirrored-store` if CloudKit mirrors the store and the options do not
  ///   allow that; `model-mismatch` if the model is another one than the store's; the errors of opening a
  ///   store and of ``StorePlacement``.
  init(
    of path: String, at newStore: String?, _ others: EditedFiles.Others,
    _ options: EditingOptions, isPlan: Bool = false,
    environment: WorkEnvironment, progress: any ProgressReporter
  ) throws {
    self.path = path
    self.others = newStore == nil ? others : .copy
    self.options = options
    self.environment = environment
    self.progress = progress
    progress.report(WorkProgress(.opening))
    if FileSync.isFolder(path) { throw CofferError(folder: path) }
    placement = try StorePlacement(
      path: newStore ?? path, isReplacing: newStore == nil || options.overwriting,
      otherwiseIn: isPlan ? environment.temporaryFolder ?? FileNames.temporaryFolder : nil)
    before = newStore == nil ? try placement.targetState() : nil
    store = try PersistentStore.opened(path, .inPlace).fitted(to: environment.model)
    // Whoever replaces the store removes what cannot be read.
    try store.requireSoundLog()
    if !isPlan { try store.requireSoundPages() }
    if !options.allowsMirrored { try requireNotMirrored() }
  }

  /// Checks that the store has a copy of its model, which is required for changing objects rather than
  /// rows.
  ///
  /// - Throws: ``CofferError`` with `unknown-store-model` if it has none; the copy is then abandoned.
  func requireOwnModel() throws(CofferError) {
    guard store.model.source == .inferred else { return }
    abandon()
    throw CofferError(
      .unknownStoreModel, path: path,
      detail: "it has no copy of its model, so its relationships are not known for certain",
      advice: .migrateFirst)
  }

  /// Removes the copy; does nothing after it has replaced the store.
  func abandon() { placement.abandon() }

  /// Copies the store page by page, and changes the copy in one transaction.
  ///
  /// Without settings, the copy has the store's.
  ///
  /// - Throws: errors from the closure; ``CofferError``: `store-busy` if the store changed meanwhile,
  ///   `write-failed`; `CancellationError`.
  func edit<T>(
    settings: StoreEditor.Settings? = nil, _ body: (SQLiteDatabase, EditedFiles) throws -> T
  ) throws -> T {
    try naming {
      let files = try EditedFiles(of: store, for: placement.working, others)
      // A copy without all its files is not compared.
      let editor = try StoreEditor(
        copying: store, to: placement.working.store, followsRows: others != .stay)
      do {
        let result = try editor.use { try body($0, files) }
        try finish(files) { () throws(CofferError) in try editor.finish(settings) }
        changedRows = editor.changedRows
        return result
      } catch {
        editor.abandon()
        throw error
      }
    }
  }

  /// Rebuilds the copy table by table, instead of copying it page by page.
  func rebuild(_ body: (StoreConstruction, EditedFiles) throws -> Void) throws {
    try naming {
      let files = try EditedFiles(of: store, for: placement.working, others)
      let construction = try StoreConstruction(
        at: placement.working.store, settings: store.settings, place: store.path)
      defer { construction.abandon() }
      try body(construction, files)
      try finish(files) { () throws(CofferError) in try construction.finish() }
    }
  }

  private func naming<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw placement.named(error, as: path) }
  }

  /// Completes the copy, if the store has not changed since it was read.
  private func finish(_ files: EditedFiles, _ complete: () throws(CofferError) -> Void) throws {
    try files.finish()
    try store.requireUnchanged()
    try store.requireInPlace()
    try complete()
    removedFiles = others == .copy ? nil : files.removed
    // An open reader would keep the log of the store from being emptied.
    store.close()
  }

  /// The size of the copy's main file in bytes, before it takes its place.
  func copySize() throws(CofferError) -> Int {
    try placement.workingSize()
  }

  /// Writes the undo changes, if requested, and replaces the store with the copy.
  ///
  /// The undo file is complete before the old state is replaced; if the copy is refused, the file
  /// is removed, and an earlier file that it replaced is restored.
  ///
  /// - Throws: ``CofferError``: `store-busy` if the store is in use or was changed meanwhile; the errors
  ///   of ``StorePlacement`` and of writing the changes. `CancellationError`. On failure, the store is
  ///   unchanged.
  func place(writeUndo: ((ArchiveTarget, ChangesOptions) throws -> Void)? = nil) throws {
    let undo = try options.undo.flatMap { target in
      let write = writeUndo ?? self.writeUndo
      try requireWayBack(write)
      return try keeping(target, as: "undo") { try write(target, options.undoOptions) }.kept
    }
    do {
      try Task<Never, Never>.checkCancellation()
      progress.report(WorkProgress(.writing))
      try placement.commit(ifStill: before, keepingFilesExcept: removedFiles)
    } catch {
      if !placement.isDone { undo?.restore() }
      throw error
    }
  }

  private func requireNotMirrored() throws {
    let tables = store.layout.otherTables.filter { $0.kind == .cloudKit && $0.form == .ordinary }
    let mirrored = try store.use { database throws(CofferError) in
      for table in tables
      where try database.value("SELECT 1 FROM \(quotedIdentifier(table.name)) LIMIT 1") != nil {
        return true
      }
      return false
    }
    guard mirrored else { return }
    throw CofferError(
      .mirroredStore, path: path,
      detail:
        "its mirroring state would not record the changes, so devices can disagree, and removed "
        + "objects can come back",
      advice: .allowMirrored)
  }
}

// MARK: - Before and after

extension EditedCopy {
  /// Compares the store with the changed copy, as ``StoreComparison`` does.
  ///
  /// The copy must have all its files, so ``EditedFiles/Others/stay`` is not allowed. If objects are
  /// matched by their IDs, only the rows that the edit changed are read and counted in the summary.
  func compare(
    _ options: ComparisonOptions = ComparisonOptions(environment: .inPlace),
    onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> ComparisonSummary {
    try comparison(options, changedRows: options.matchesByObjectID ? changedRows : nil)
      .compare(path, placement.working.store, onDifference)
  }

  private func comparison(
    _ options: ComparisonOptions, changedRows: ChangedRows?
  ) -> ComparisonRun {
    var options = options
    options.environment.model = environment.model ?? options.environment.model
    var run = ComparisonRun(options: options, progress: progress, changedRows: changedRows)
    // The store's pages have been checked before the edit, and SQLite checks the copy's.
    run.checksPages = false
    return run
  }

  /// Completes a change of objects: refuses a result with new errors, compares, writes the undo changes,
  /// and replaces the store with the copy.
  ///
  /// An unchanged store keeps its file.
  ///
  /// The copy must have all its files, as for ``compare(_:onDifference:)``.
  ///
  /// - Returns: the differences, and the warnings that the store did not have.
  func complete() throws -> (differences: ComparisonSummary, findings: [Finding]) {
    let findings = try requireSoundness()
    var comparison = comparison(ComparisonOptions(environment: .inPlace), changedRows: nil)
    comparison.onlyCounts = true
    let differences = try comparison.compare(path, placement.working.store) { _ in }
    if before == nil || options.undo != nil || !differences.isEqual { try place() }
    return (differences, findings)
  }

  /// Writes the changes that lead from the store to the copy.
  ///
  /// - Throws: ``CofferError`` with `store-busy` if the store was changed meanwhile; errors from reading
  ///   and from writing the file; `CancellationError`. On failure, the file is removed, and an earlier
  ///   one that it replaced is restored.
  func writeChanges(
    to target: ArchiveTarget, writeRepairs: @escaping (RepairRecorder) throws -> Void
  ) throws -> ChangesSummary {
    var recorder = ChangesRecorder(target: target, options: ChangesOptions(), progress: progress)
    recorder.writeRepairs = writeRepairs
    recorder.namesContent = false
    return try keeping(target, as: "changes") {
      let summary = try comparison(
        ComparisonOptions(environment: .inPlace), changedRows: changedRows
      )
      .open(path, placement.working.store, for: recorder)
      try requireStoreUnchanged()
      return summary
    }.result
  }

  /// Runs a closure that writes a file; if it fails, the file is removed, and an earlier one that it
  /// replaced is restored.
  private func keeping<T>(
    _ target: ArchiveTarget, as name: String, _ write: () throws -> T
  ) throws -> (kept: KeptFile?, result: T) {
    let kept = KeptFile(target, at: placement.path(inWorkingFolder: name))
    do {
      return (kept, try write())
    } catch {
      // A file that someone else created meanwhile was not replaced, and is kept.
      if (error as? CofferError)?.code != .outputExists { kept?.restore() }
      throw error
    }
  }

  /// Checks that the store has not changed since it was copied; throws `store-busy` if it is not.
  func requireStoreUnchanged() throws(CofferError) {
    if let before, try !placement.targetState().holdsSameContent(as: before) {
      throw storeWasChanged()
    }
  }

  /// Checks that the store has not changed since another copy of it was made; throws `store-busy` if it is not.
  func requireSameState(as other: EditedCopy) throws(CofferError) {
    if let before, let earlier = other.before, !before.holdsSameContent(as: earlier) {
      throw storeWasChanged()
    }
  }

  private func storeWasChanged() -> CofferError {
    CofferError(
      .storeBusy, path: path, detail: "it was changed while its new content was being prepared",
      advice: "Close the app that uses the store, and try again.")
  }

  /// Writes the changes that lead from the copy back to the store.
  private func writeUndo(to target: ArchiveTarget, _ writing: ChangesOptions) throws {
    var recorder = ChangesRecorder(target: target, options: writing, progress: progress)
    recorder.namesContent = false
    _ = try comparison(ComparisonOptions(environment: .inPlace), changedRows: changedRows)
      .open(placement.working.store, path, for: recorder)
  }

  /// Reverses the change in a separate copy, and checks that the result is the original store.
  ///
  /// The changes are tried without encryption, so that no key is needed.
  private func requireWayBack(_ write: (ArchiveTarget, ChangesOptions) throws -> Void) throws {
    let changes = placement.path(inWorkingFolder: "way-back")
    defer { FileNames.remove(changes) }
    var writing = options.undoOptions
    writing.encryption = nil
    try write(.file(changes), writing)
    var applier = ChangesApplier()
    applier.options.editing.allowsMirrored = true
    applier.options.environment.temporaryFolder = environment.temporaryFolder
    let problem: String
    do {
      let isBack = try applier.result(of: changes, to: placement.working.store) {
        try $0 == contentDigest(of: path)
      }
      if isBack { return }
      problem = "they lead to another state"
    } catch let error as CofferError
      where [.wrongState, .damagedArchive, .modelMismatch].contains(error.code)
    {
      problem = "they cannot be applied to the result"
    }
    // They lead back to the store that was copied.
    try requireStoreUnchanged()
    throw CofferError(
      .refused, path: path, detail: "the undo changes would not restore the store: \(problem)",
      advice: "Nothing was written. Make a backup of the store, and change it without an undo.")
  }

  /// The content digest of the store, which must not have changed.
  func contentDigestOfStore() throws -> String { try contentDigest(of: path) }

  /// The content digest of the copy, which must have all its files.
  func contentDigestOfCopy() throws -> String { try contentDigest(of: placement.working.store) }

  private func contentDigest(of path: String) throws -> String {
    let store = try PersistentStore.opened(path, .inPlace)
    defer { store.close() }
    return try StoreExporter().contentDigest(of: store)
  }
}
