internal import CofferCore
internal import CofferEditing
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// A backup in a private folder, before it is in its place.
struct BackupDraft {
  var path: String
  /// The backup that its changes begin with; nil for a full archive.
  var base: Backup?
  /// Why it is a full archive; nil for changes.
  var fullReason: FullBackupReason?
  /// The content of a full archive of the state, and the findings.
  var summary: ExportSummary
  /// The record of the state, with the path of its file; nil if it could not be recorded.
  var state: (recorder: StateRecorder, path: String)?
  /// The recorded state; nil if it could not be recorded.
  var after: StateFile?
  /// The number of backups since the last comparison of all rows.
  var uncomparedCount = 0
  /// The tables with changes that the pages of the store did not show.
  var missedTables: [String] = []
}

/// Writes drafts of backups of a store.
struct BackupDrafting {
  /// Reads the store, and writes archives.
  let exporter: StoreExporter
  /// The private folder of the files.
  let folder: WorkFolder
  /// The private folder of the recorded states.
  let stateFolder: WorkFolder
  /// One of this many consecutive backups compares all rows.
  let comparisonInterval: Int
  /// At most one in this many parts is read selectively; with more, reading everything is faster.
  var largestShare = 2

  /// Writes the chosen backup.
  ///
  /// The result is a full archive if the state of the latest backup is unknown, or if changes cannot be
  /// written.
  func write(
    _ choice: BackupBase.Choice, from state: StateFile?, of store: PersistentStore
  ) throws -> BackupDraft {
    try store.readingAgainIfChanged { store in
      let store = try store.fitted(to: exporter.options.environment.model)
      return try store.use { database in
        let tables = StoreTables(store)
        let source = StoreRowSource(store, database, tables)
        let documents = try ChangesDescription(source)
        let look = try PageLook(at: source, since: state)
        var draft =
          switch choice {
          case .full(let reason): try full(source, documents, reason, look)
          case .changes(let base):
            if let state {
              try changes(since: base, state, source, tables, documents, look)
            } else {
              try full(source, documents, .unknownBase, look)
            }
          }
        if let state, let after = draft.after {
          // This check must not prevent a backup.
          draft.summary.findings += (try? after.wipes(since: state, documents)) ?? []
          if draft.fullReason != nil {
            draft.missedTables =
              (try? missedTables(from: state, to: after, tables, documents, look)) ?? []
          }
        }
        return draft
      }
    }
  }

  /// The tables with changes that the pages did not show, after a comparison of two states.
  private func missedTables(
    from before: StateFile, to after: StateFile, _ tables: StoreTables,
    _ documents: ChangesDescription, _ look: PageLook
  ) throws -> [String] {
    guard before.description.isComparable, after.description.isComparable,
      before.description.structure == after.description.structure,
      let missed = look.missedChanges(in: tables.sources, documents)
    else { return [] }
    try missed.compare(before, after, documents)
    return missed.tables
  }

  private func full(
    _ source: StoreRowSource, _ documents: ChangesDescription, _ reason: FullBackupReason,
    _ look: PageLook
  ) throws -> BackupDraft {
    let path = folder.path("full-\(UUID().uuidString)")
    let statePath = stateFolder.path("state-\(UUID().uuidString)")
    // A backup is not worse if its state is not remembered.
    let recorder = try? StateRecorder(at: statePath, documents, look)
    let made = try exporter.write(
      source.store, source.database, to: .file(path: path), witness: recorder)
    var draft = BackupDraft(path: path, fullReason: reason, summary: made.summary)
    if let recorder, let after = try? recorder.finish(made.index) {
      (draft.state, draft.after) = ((recorder, statePath), after)
    }
    return draft
  }

  private func changes(
    since base: BackupBase, _ before: StateFile, _ source: StoreRowSource, _ tables: StoreTables,
    _ documents: ChangesDescription, _ look: PageLook
  ) throws -> BackupDraft {
    guard before.description.isComparable,
      StateDescription(documents).structure == before.description.structure
    else { return try full(source, documents, .incomparable, look) }
    do {
      let count = before.description.uncomparedCount + 1
      if count < comparisonInterval,
        let kept = look.keptParts(
          of: before, tables.sources, documents,
          KeptParts.Rule(
            partSize: exporter.partSize, largestShare: largestShare,
            readsReferences: !hasReferredFiles(source, of: before.description)))
      {
        do {
          var draft = try changes(since: base, before, source, tables, documents, look, kept)
          draft.uncomparedCount = count
          return draft
        } catch is KeptPartsMismatch {
          // All rows are read, which shows the defect.
        }
      }
      return try changes(since: base, before, source, tables, documents, look, nil)
    } catch is IncrementWriter.Moved {
      return try full(source, documents, .changedMeanwhile, look)
    } catch let error as CofferError where error.code == .archiveLimit {
      return try full(source, documents, .incomparable, look)
    } catch let error as CofferError where error.code == .temporaryStorageFailed {
      return try full(source, documents, before.isWhole ? .noRoom : .unknownBase, look)
    }
  }

  /// Whether no row of an earlier state refers to a missing file.
  private func hasReferredFiles(
    _ source: StoreRowSource, of before: StateDescription
  ) -> Bool {
    guard !before.lacksFiles, let files = try? source.files() else { return false }
    let names = Set(files.map { Name(ExternalEntryName.entry(for: $0.components)) })
    return before.files.keys.allSatisfy { names.contains($0) }
  }

  /// Writes the changes, without reading the parts that are known to be unchanged.
  private func changes(
    since base: BackupBase, _ before: StateFile, _ source: StoreRowSource, _ tables: StoreTables,
    _ documents: ChangesDescription, _ look: PageLook, _ kept: KeptParts?
  ) throws -> BackupDraft {
    let path = folder.path("changes-\(UUID().uuidString)")
    let (after, recorder, statePath, summary) = try record(source, documents, look, kept)
    guard after.description.isComparable else {
      return try full(source, documents, .incomparable, look)
    }
    var options = ChangesOptions()
    options.compression = exporter.options.compression
    options.encryption = exporter.options.encryption
    let missed = kept == nil ? look.missedChanges(in: tables.sources, documents) : nil
    try IncrementWriter(
      source, tables, documents, from: before, to: after, recorder.stretches, noting: missed
    ).write(to: path, options)
    return BackupDraft(
      path: path, base: base.backup, summary: summary, state: (recorder, statePath), after: after,
      missedTables: missed?.tables ?? [])
  }

  /// Reads the store, and records its state in the cache, or else next to the other files.
  private func record(
    _ source: StoreRowSource, _ documents: ChangesDescription, _ look: PageLook, _ kept: KeptParts?
  ) throws -> (StateFile, StateRecorder, String, ExportSummary) {
    func record(in folder: WorkFolder) throws -> (StateFile, StateRecorder, String, ExportSummary) {
      let path = folder.path("state-\(UUID().uuidString)")
      let recorder = try StateRecorder(at: path, documents, look, kept: kept)
      let read = try exporter.read(source.store, source.database, witness: recorder)
      return (try recorder.finish(read.index), recorder, path, read.summary)
    }
    guard stateFolder !== folder else { return try record(in: folder) }
    do {
      return try record(in: stateFolder)
    } catch let error as CofferError where error.code == .temporaryStorageFailed {
      // The folder of caches is full or gone.
      return try record(in: folder)
    }
  }
}
