internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Reduces a restored store, before it takes its place, to the selected objects.
struct SelectedRestore {
  let selection: ObjectSelection
  let paths: StorePaths
  /// The archive, for errors.
  let archive: String
  let progress: any ProgressReporter

  /// Checks a selection by the documents of the archive, before anything is restored.
  ///
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-property`, `invalid-condition`,
  ///   `incompatible-choices` for a condition of several entities, `unknown-store-model` if the archive
  ///   has only an inferred model.
  static func check(
    _ selection: ObjectSelection, _ documents: ArchiveDocuments, archive: String
  ) throws(CofferError) {
    _ = try SelectedObjects(
      selection, of: documents.model, documents.layout.entities, path: archive)
  }

  /// Removes the objects that are not selected.
  ///
  /// - Returns: the kept and the removed objects, and the size of the store.
  /// - Throws: ``CofferError``: `refused` if objects would be left out that only the app can remove;
  ///   errors from reading and writing; `CancellationError`.
  func complete() throws -> (summary: SelectionSummary, content: ContentCounts) {
    var summary = SelectionSummary()
    var content = ContentCounts()
    let files = try StoreEditor.change(unused: paths.store) { database, store in
      let reduction = try StoreReduction(database, of: store)
      summary.selectedCount = try select(
        StoreRowSource(store, database, blobLimit: LineLimits.ownEntry), reduction)
      let counts = try reduction.complete { try Task<Never, Never>.checkCancellation() }
      summary.neededCount = counts.neededCount
      summary.omittedCount = counts.omittedCount
      summary.unsetCount = counts.unsetCount
      content.objectCount = counts.left.objectCount
      content.relationshipCount = counts.left.pairCount + counts.left.toOneCount
      let files = try reduction.referencedFiles()
      try database.run("PRAGMA incremental_vacuum")
      return files
    }
    content.externalFileCount = try removeFiles(except: files)
    return (summary, content)
  }

  /// Chooses the selected objects, and returns their number.
  private func select(_ source: some RowSource, _ reduction: StoreReduction) throws -> Int {
    let selected = try SelectedObjects(selection, of: source.model, source.entities, path: archive)
    return try selected.forEach(in: source) { try reduction.choose($0, of: $1) }
  }

  /// Removes the external files that no object refers to, and returns the number of all that are left.
  private func removeFiles(except names: Set<Name>) throws -> Int {
    let folder = try SupportFolder(of: paths)
    var count = 0
    for file in folder.files {
      if let name = file.externalName, !names.contains(Name(name)) {
        FileNames.remove(folder.path(of: file))
      } else {
        count += 1
      }
    }
    return count
  }
}
