internal import CofferComparison
package import CofferCore
package import CoreDataArchive
internal import CoreDataLayout
package import CoreDataModel

/// An open change file, whose tables can be read in any order.
package struct ChangesFile {
  let archive: OpenArchive
  var states: ChangesDocument
  /// Whether it is read in reverse: the state after the changes becomes the state before them.
  var isReversed: Bool
  /// The differing files of the support folder as recorded in the change file.
  private var statedFiles: [ChangedFile] = []
  private let wholeTables: Set<Name>

  /// Opens a change file.
  ///
  /// - Throws: the errors of ``OpenArchive``; ``CofferError`` with `damaged-archive` if the
  ///   description of the two states is missing or invalid.
  package init(path: String, environment: WorkEnvironment, isReversed: Bool = false)
    throws(CofferError)
  {
    let archive = try OpenArchive(path: path, environment: environment, kind: .changes)
    guard archive.file.index[ArchiveEntryName.changes] != nil else {
      throw CofferError(
        .damagedArchive, path: path, entry: ArchiveEntryName.changes,
        detail: "the entry is missing")
    }
    let value = try ArchiveDocuments.value(
      of: archive.file.read(ArchiveEntryName.changes, limit: .documentSize),
      ArchiveEntryName.changes, path: path, limits: archive.file.limits)
    do throws(DocumentError) {
      states = try ChangesDocument(value)
    } catch {
      throw error.archiveError(path: path)
    }
    self.archive = archive
    self.isReversed = isReversed
    wholeTables = Set(states.wholeTables.map { Name($0) })
    guard !isReversed || states.isReversible else {
      throw CofferError.irreversibleChanges(path: path)
    }
    for folder in wholeTables
    where !documents.layout.tables.contains(where: { Name($0.folder) == folder }) {
      throw CofferError(
        .damagedArchive, path: path, entry: ArchiveEntryName.changes,
        detail: "no table has the folder \(folder.text)")
    }
    statedFiles = try changedFiles()
  }

  var path: String { archive.path }
  package var documents: ArchiveDocuments { archive.documents }
  /// The state that the changes begin with, in the direction of reading.
  package var before: ChangesDocument.State { isReversed ? states.after : states.before }
  /// The state that they lead to, in the direction of reading.
  package var after: ChangesDocument.State { isReversed ? states.before : states.after }

  /// The files of the support folder that the changes add, remove or replace, in ascending order.
  var files: [ChangedFile] { isReversed ? statedFiles.map(\.reversed) : statedFiles }

  /// Whether the lines of a table are all its rows after the changes, regardless of the earlier
  /// rows.
  func isWhole(_ shape: TableLayout) -> Bool { wholeTables.contains(Name(shape.folder)) }

  /// Passes the changes of a table to a handler, as after a comparison of its old and new rows.
  func read(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    let changes = ChangeCursor(shape, of: self)
    while let word = try changes.next() {
      switch word {
      case .insert: try handler.add(changes.after)
      case .delete: try handler.remove(changes.before)
      case .update: try handler.compare(changes.before, changes.after)
      case .replace: try handler.replace(changes.after)
      }
    }
    try handler.finish()
  }

  /// Writes the changes, in the direction of reading, to another file.
  func write(to target: ArchiveTarget, _ options: ChangesOptions) throws -> ChangesSummary {
    try ChangesOutput.write(
      to: target, ChangesDescription(documents), ChangesDocument(before: before, after: after),
      options
    ) { output, summary in
      for shape in documents.layout.tables {
        var handler = CountingHandler(output.table(shape), shape)
        try read(shape, &handler)
        summary.add(handler.counts, of: shape, documents.layout.entities)
      }
      for file in files {
        try output.copy(file, before: self, after: self)
        summary.add(file)
      }
    }
  }
}
