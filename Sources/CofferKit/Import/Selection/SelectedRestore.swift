internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// Reduces a restored store, before it takes its place, to the selected objects.
struct SelectedRestore {
  private let selection: ObjectSelection
  private let paths: StorePaths
  /// The archive, for errors.
  private let archive: String
  private let progress: any ProgressReporter

  init(
    _ selection: ObjectSelection, of paths: StorePaths, from archive: String,
    progress: any ProgressReporter
  ) {
    self.selection = selection
    self.paths = paths
    self.archive = archive
    self.progress = progress
  }

  /// Checks a selection by the documents of the archive, before anything is restored.
  ///
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-property`, `invalid-condition`,
  ///   `incompatible-choices` for a condition of several entities, `unknown-store-model` if the archive
  ///   has only an inferred model.
  static func check(
    _ selection: ObjectSelection, _ documents: ArchiveDocuments, archive: String
  ) throws(CofferError) {
    let model = documents.model
    guard model.source != .inferred else {
      throw CofferError(
        .unknownStoreModel, path: archive,
        detail: "the archive has no model, so what the objects need is not known for certain",
        advice: "Restore all of it.")
    }
    guard selection.condition == nil || selection.entityNames.count == 1 else {
      throw CofferError(
        .incompatibleChoices, path: archive, detail: "a condition is for the objects of one entity",
        advice: "Name one entity, or leave the condition out.")
    }
    _ = try EntitySelection(
      selection.entityNames, of: [(model, documents.layout.entities)], path: archive)
    for name in selection.entityNames {
      guard model.root(of: name) != nil else {
        throw CofferError(
          .noSuchEntity, path: archive, detail: name,
          advice: .chooseEntity(model.entities.map(\.name)))
      }
      if let condition = selection.condition {
        _ = try ObjectCondition(condition, of: name, in: model, path: archive)
      }
    }
  }

  /// Removes what is not selected.
  ///
  /// - Returns: what is left and what is not, and how much the store contains.
  /// - Throws: ``CofferError``: `refused` if objects would be left out that only the app can remove;
  ///   errors from reading and writing; `CancellationError`.
  func complete() throws -> (summary: SelectionSummary, content: ContentCounts) {
    let store = try PersistentStore.opened(paths.store, .inPlace)
    store.close()
    let editor = try StoreEditor(ofUnused: store)
    do {
      var summary = SelectionSummary()
      var content = ContentCounts()
      let files = try editor.use { database in
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
      try editor.finish(nil)
      content.externalFileCount = try removeFiles(except: files)
      return (summary, content)
    } catch {
      editor.abandon()
      throw error
    }
  }

  /// Chooses the selected objects, and returns their number.
  private func select(_ source: some RowSource, _ reduction: StoreReduction) throws -> Int {
    let model = source.model
    let wanted = selection.entityNames.reduce(into: Set<ExactString>()) {
      $0.formUnion(model.tree(of: $1).map(\.name).exactStrings)
    }
    let condition = try selection.condition.map { text throws(CofferError) in
      try ObjectCondition(text, of: selection.entityNames[0], in: model, path: archive)
    }
    var count = 0
    for shape in source.shapes where shape.kind == .entity {
      guard let root = shape.entityName,
        model.tree(of: root).contains(where: { wanted.contains($0.name) })
      else { continue }
      let columns = ObjectColumns(shape, source.entities)
      try source.visitRows(of: shape) { rows in
        guard let object = columns.object(rows), wanted.contains(object.id.entityName),
          try condition?.holds(for: object) ?? true
        else { return true }
        try reduction.choose(object.id.primaryKey, of: root)
        count += 1
        return true
      }
    }
    return count
  }

  /// Removes the external files that no object refers to, and returns the number of all that are left.
  private func removeFiles(except names: Set<ExactString>) throws -> Int {
    let folder = try SupportFolder(of: paths)
    var count = 0
    for file in folder.files {
      if let name = file.externalName, !names.contains(name) {
        FileNames.remove(folder.path(of: file))
      } else {
        count += 1
      }
    }
    return count
  }
}
